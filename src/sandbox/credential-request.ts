// One request for one credential, and where it stands at a given moment.

import type { Course } from './course/course.ts'
import type { Fate } from './fate.ts'
import type { Fields } from './read-body.ts'

export interface CredentialRequest {
  /** Counts requests in order of arrival, from 0. */
  readonly number: number
  readonly course: Course
  readonly student: Fields
  /** SHA-256 (hex) of the image that came with the recipient. */
  readonly image: string | null
  readonly fate: Fate
  /** When the invitation was accepted: on the true wall clock, on the service's own, as its day, and in monotonic milliseconds. */
  readonly at: Date
  readonly datedAt: Date
  readonly requestDate: string
  readonly acceptedMs: number
  /** How much later than others it shows in the report; 0 without mischief. */
  readonly extraLagMs: number
}

export interface Pace {
  queueMs: number
  progressMs: number
}

/** issued_status_id to issued_status, as documented; 2 and 5 do have the same label. */
export const statusLabels: Readonly<Record<number, string>> = {
  1: 'Request Ready to issue',
  2: 'Request inprogress',
  3: 'Request Completed',
  4: 'Request rejected',
  5: 'Request inprogress',
  6: 'Request inqueue',
  7: 'Request failed',
  8: 'Request not requested',
}

/** The issued_status_id by age. Nothing runs in the background: a status is worked out whenever somebody looks. */
export function statusAt(request: CredentialRequest, pace: Pace, nowMs: number): number {
  const age = nowMs - request.acceptedMs
  if (age < pace.queueMs) return 6
  return age < pace.queueMs + pace.progressMs ? 2 : request.fate.final
}

/** The moment of issue on the service's wall clock, whether it has come or not. */
export function issueTime(request: CredentialRequest, pace: Pace): Date {
  return new Date(request.datedAt.getTime() + pace.queueMs + pace.progressMs)
}

/** A text field of the recipient, or null where it is absent, empty or not text. */
export function studentText(request: CredentialRequest, displayName: string): string | null {
  const value = request.student[displayName]
  return typeof value === 'string' && value !== '' ? value : null
}
