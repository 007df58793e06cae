// What a label of the credential report says about an issuance. Pure. The labels and ids are those of the service's table
// "Credential issued status"; the report shows the label, searches take the id.

import type { State } from './state.ts'

/** Every id that a search may name. All are named explicitly: what the service shows by default is not documented. */
export const allStatusIds: readonly number[] = [1, 2, 3, 4, 5, 6, 7, 8]

export type ReportReading =
  | { kind: 'state'; state: State }
  /** Known, but it says nothing about progress (Request not requested): shown, the state stays. */
  | { kind: 'stays' }
  /** A label nobody told us about: counted and shown, the state stays. */
  | { kind: 'unknown' }

// A Map, because a label such as "constructor" would find something in an object.
const readings = new Map<string, ReportReading>([
  ['requestreadytoissue', { kind: 'state', state: 'requested' }],
  ['requestinqueue', { kind: 'state', state: 'requested' }],
  ['requestinprogress', { kind: 'state', state: 'in_progress' }],
  ['requestcompleted', { kind: 'state', state: 'issued' }],
  ['requestrejected', { kind: 'state', state: 'rejected' }],
  ['requestfailed', { kind: 'state', state: 'failed' }],
  ['requestnotrequested', { kind: 'stays' }],
])

/** Labels compare without case, spaces or hyphens. A date of revocation outranks the label. */
export function readReportStatus(label: string | null, revokedDate: string | null): ReportReading {
  if (revokedDate) return { kind: 'state', state: 'revoked' }
  const plain = (label ?? '').toLowerCase().replace(/[\s\-_]/g, '')
  return readings.get(plain) ?? { kind: 'unknown' }
}
