// Translates a status label of the credential report into a state of an issuance. Labels and ids come from the
// service's table "Credential issued status"; the report shows the label, and searches use the id. Pure.

import type { State } from './state.ts'

/** Every status id. Searches list all of them explicitly, because the service's default is not documented. */
export const allStatusIds: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]

export type ReportReading =
  | { kind: 'state'; state: State }
  /** A known label that implies no progress (Request not requested): it is shown, and the state is unchanged. */
  | { kind: 'stays' }
  /** An undocumented label: it is counted and shown, and the state is unchanged. */
  | { kind: 'unknown' }

// A Map rather than an object, in which a label such as "constructor" would find an inherited property.
const readings = new Map<string, ReportReading>([
  ['requestreadytoissue', { kind: 'state', state: 'requested' }],
  ['requestinqueue', { kind: 'state', state: 'requested' }],
  ['requestinprogress', { kind: 'state', state: 'in_progress' }],
  ['requestcompleted', { kind: 'state', state: 'issued' }],
  ['requestrejected', { kind: 'state', state: 'rejected' }],
  ['requestfailed', { kind: 'state', state: 'failed' }],
  ['requestnotrequested', { kind: 'stays' }],
])

/**
 * Compares labels ignoring case, spaces, hyphens and underscores. A revocation date takes precedence over the label.
 */
export function readReportStatus(label: string | null, revokedDate: string | null): ReportReading {
  if (revokedDate) return { kind: 'state', state: 'revoked' }
  const plain = (label ?? '').toLowerCase().replace(/[\s\-_]/g, '')
  return readings.get(plain) ?? { kind: 'unknown' }
}
