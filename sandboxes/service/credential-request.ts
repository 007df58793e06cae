// A request for one credential, and its status at a given time. Pure.

import type { CourseRecord } from './course.ts'
import type { Fields } from './read-body.ts'
import type { RequestOutcome } from './request-outcome.ts'

export interface CredentialRequest {
  /** Counts requests in order of arrival, from 0. */
  readonly number: number
  readonly course: CourseRecord
  readonly student: Fields
  /** SHA-256 (hex) of the recipient's image. */
  readonly image: string | null
  /** Whether the invitation requested a public link; a credential gets one only on request. */
  readonly publicLink: boolean
  readonly outcome: RequestOutcome
  /** When the invitation was accepted, by the sandbox's clock. */
  readonly at: Date
  /** The same time on the simulated service's clock, which a fault may shift. */
  readonly datedAt: Date
  /** The date of `datedAt`. */
  readonly requestDate: string
  /** The same time in monotonic milliseconds. */
  readonly acceptedMs: number
  /** The extra delay before the request appears in the report; 0 without faults. */
  readonly extraLagMs: number
}

export interface IssuingPace {
  queueMs: number
  progressMs: number
}

/**
 * issued_status by issued_status_id, as documented (2 and 5 really have the same label). A separate copy, so that the
 * sandbox does not share a mistake with src/domain/credential/status-ids.ts.
 */
export const sandboxStatusLabels: Readonly<Record<number, string>> = {
  1: 'Request Ready to issue',
  2: 'Request inprogress',
  3: 'Request Completed',
  4: 'Request rejected',
  5: 'Request inprogress',
  6: 'Request inqueue',
  7: 'Request failed',
  8: 'Request not requested',
}

/**
 * Derives issued_status_id from the age of the request when it is read, so that nothing runs in the background.
 */
export function statusAt(request: CredentialRequest, pace: IssuingPace, nowMs: number): number {
  const age = nowMs - request.acceptedMs
  if (age < pace.queueMs) return 6
  return age < pace.queueMs + pace.progressMs ? 2 : request.outcome.final
}

/** Returns the time of issue on the service's clock, which may be in the future. */
export function issueTime(request: CredentialRequest, pace: IssuingPace): Date {
  return new Date(request.datedAt.getTime() + pace.queueMs + pace.progressMs)
}

/** Returns a text field of the recipient; null if it is missing, empty or not text. */
export function studentText(request: CredentialRequest, displayName: string): string | null {
  const value = request.student[displayName]
  return typeof value === 'string' && value !== '' ? value : null
}
