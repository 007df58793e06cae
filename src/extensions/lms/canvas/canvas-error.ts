// The error that every failed Canvas call throws. Its four kinds say what the caller does next. Pure.

import { LmsError } from '#src/platform/http/lms-error.ts'

export type CanvasFault =
  /** Canvas is unavailable or throttles our requests: try again later. */
  | 'away'
  /** Canvas rejects the token: every further call with it will fail. An operator must act. */
  | 'refused'
  /** Canvas denies access to this course or this call; others may succeed. An operator must act. */
  | 'forbidden'
  /** Only this record failed; the next one may succeed. */
  | 'record'

export class CanvasError extends LmsError {
  override name = 'CanvasError'
  readonly fault: CanvasFault
  /** The HTTP status of the response; null when there was none. */
  readonly status: number | null
  /** How many milliseconds Canvas asked us to wait; null when it did not. */
  readonly retryAfterMs: number | null

  /** @param sentence the message for the operator, without personal data */
  constructor(
    fault: CanvasFault,
    sentence: string,
    { status = null, retryAfterMs = null }: { status?: number | null; retryAfterMs?: number | null } = {},
  ) {
    super(sentence)
    this.fault = fault
    this.status = status
    this.retryAfterMs = retryAfterMs
  }

  get failure() {
    const { fault, retryAfterMs } = this
    const isOfCourse = fault === 'forbidden' || fault === 'record'
    return { kind: fault === 'forbidden' ? 'refused' : fault, isOfCourse, code: null, retryAfterMs }
  }
}
