// What is kept of a rehearsal, beside its list.

import type { DryRunDocument } from '#src/issuing/intake/dry-run-document.ts'

/** A column of the list, and the fields of the course that it fills. */
export interface RehearsedColumn {
  title: string
  fields: string[]
  use: 'fields' | 'images' | 'where' | 'ours' | 'nothing'
}

/** What a rehearsal depends on. While all of it is the same, the rehearsal is true. */
export interface RehearsalBasis {
  sha256: string
  /** Hash of the settings that concern the pipeline. */
  settings: string
  /** Hash of the fields of the course. */
  fields: string
  course: string
  lastRun: string | null
  lastErasure: string | null
}

export interface FinishedRehearsal {
  kind: 'finished'
  /** When it began. Together with the list it names the rehearsal. */
  at: string
  basis: RehearsalBasis
  document: DryRunDocument
  columns: RehearsedColumn[]
  /** Fields that have the same value in every row, from the configuration. */
  constants: { field: string; value: string }[]
  /** The people of the document as they would be sent. */
  unmasked: Readonly<Record<string, string>>[]
  /** Why the rehearsal before it was no longer true. */
  because: string[]
}

export type Rehearsal =
  | FinishedRehearsal
  /** `tries`: how often it has begun. More than once after a kill. */
  | { kind: 'under way'; tries: number; because: string[] }
  /** The list cannot be issued as it is. */
  | { kind: 'refused'; sentence: string }
  /** Something else stood in the way; it can be repeated. */
  | { kind: 'failed'; sentence: string }
