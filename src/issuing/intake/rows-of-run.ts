// The interface through which jobs read rows that do not come from a file, such as completions from a learning system.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import type { Field } from '#src/domain/recipient/field.ts'
import type { Source } from '#src/files/tables/source.ts'
import type { Run } from '#src/ledger/runs/runs.ts'

export interface RowsOfRun {
  open(): Promise<Source>
  /** A hash of all rules by which the rows are checked. */
  rulesHash(pipeline: PipelineSettings, fields: readonly Field[]): string
}

/** Null for a run of a file. */
export type RowsOf = (run: Run) => RowsOfRun | null
