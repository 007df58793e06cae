// Makes of an issuance what is compared to tell people apart. Pure.

import { type PersonRecord, recordOf } from '#src/domain/credential/records-of-person.ts'
import type { ReadRow } from '#src/domain/credential/row-traces.ts'
import type { PersonComparison } from '#src/domain/credential/same-person.ts'
import { nameFieldsOf } from '#src/domain/recipient/field-role.ts'
import type { ScannedIssuance } from './scan-people.ts'

/** By which fields people are compared, and how a row is read. */
export interface PipelineFields extends PersonComparison {
  /** Null if the header has none of the columns. Omitted if the service did not say what its fields are. */
  readRow?: (header: readonly string[], cells: readonly string[]) => ReadRow | null
}

/** How the rows of a pipeline and course are compared; null if the pipeline is no longer configured. */
export type ComparisonOf = (pipeline: string, courseUuid: string) => PipelineFields | null

/** For a pipeline that is no longer configured: its name fields are found by their roles. */
export function comparisonByRoles(recipient: Readonly<Record<string, string>>): PersonComparison {
  const fields = Object.keys(recipient).map((name) => ({ name, displayName: name }))
  return { identity: [], occurrence: [], nameFields: nameFieldsOf(fields) }
}

/** @returns null if the data were deleted */
export function personRecordOf(issuance: ScannedIssuance, comparisonOf: ComparisonOf): PersonRecord | null {
  if (!issuance.recipient) return null
  const { pipeline, course, recipient, corrects } = issuance
  const comparison = comparisonOf(pipeline, course) ?? comparisonByRoles(recipient)
  const source = `${course} ${pipeline}`
  return recordOf({ ...issuance, source, recipient, linked: corrects === null ? [] : [corrects] }, comparison)
}

/** Values by which a record may be found: those of two records of one person overlap, or lead from one to the other. */
export const keysOf = ({ identifiers, identityHash }: PersonRecord) => [...identifiers, `identity ${identityHash}`]
