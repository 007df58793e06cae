// Creates and changes courses. None of these calls is safe to repeat, so each is sent once and its outcome is returned.

import type { Endpoint } from '../endpoint.ts'
import { routeTo } from '../routes.ts'
import { classifyChange, type Outcome, withoutAnswer } from '../sending/outcome.ts'
import type { Change, SendChange, SendOptions } from '../sending/send-change.ts'
import { courseBody } from './course-body.ts'
import type { CourseInput } from './course-fields.ts'

const defaultDeadlineMs = 60_000

/** Default of `deadlineMs`: 60 000, because images take time. */
type ChangeOptions = Partial<SendOptions>

type ChangeEndpoints = Record<'course-create' | 'course-update' | 'course-status' | 'course-logo', Endpoint>

/**
 * Each method resolves with the outcome of its one call: `accepted`, `refused`, `throttled`, `too_large`, `not_sent`,
 * or `unknown` (after a reset, a timeout, 5xx, or an answer that is not an envelope). After `unknown`, read the course
 * to find out whether the change was applied. A call is repeated only after a 401. For an unusable uuid, the promise
 * rejects with UnusableIdError before anything is sent.
 */
export function openCourseChanges(endpoints: ChangeEndpoints, send: SendChange) {
  const sendOnce = (name: keyof ChangeEndpoints, change: Change, options?: ChangeOptions, classify = classifyChange) =>
    send(endpoints[name], change, { deadlineMs: defaultDeadlineMs, ...options }, classify)

  return {
    /**
     * The answer contains no uuid, so find the course by its number. Also rejects with CourseInputError, which lists
     * every fault.
     */
    createCourse: async (input: CourseInput, options?: ChangeOptions): Promise<Outcome> =>
      sendOnce('course-create', { ...routeTo('course-create'), body: courseBody(input, 'create') }, options),
    /**
     * Sends all fields of a course, because the service sets missing ones to null (see readBackCourse). Also rejects
     * with CourseInputError.
     */
    updateCourse: async (uuid: string, input: CourseInput, options?: ChangeOptions): Promise<Outcome> =>
      sendOnce('course-update', { ...routeTo('course-update', uuid), body: courseBody(input, 'update') }, options),
    /** Also `unknown`, with code STATUS_DISAGREES, if the answer reports a different status from the requested one. */
    async setCourseEnabled(uuid: string, enabled: boolean, options?: ChangeOptions): Promise<Outcome> {
      const wanted = enabled ? '1' : '0'
      return sendOnce('course-status', routeTo('course-status', uuid, wanted), options, (exchange, now) => {
        const outcome = classifyChange(exchange, now)
        if (outcome.class !== 'accepted' || exchange.kind === 'failed') return outcome
        return reportsOtherStatus(exchange.text, wanted)
          ? { ...withoutAnswer('unknown', 'STATUS_DISAGREES'), status: outcome.status, words: outcome.words }
          : outcome
      })
    },
    async removeCourseLogo(uuid: string, logo: 'square' | 'rectangle', options?: ChangeOptions): Promise<Outcome> {
      const body = JSON.stringify({ remove_logo_type: logo })
      return sendOnce('course-logo', { ...routeTo('course-logo', uuid), body }, options)
    },
  }
}

/**
 * Whether an accepted answer reports a different status. An answer without a status confirms only that the call
 * succeeded.
 */
function reportsOtherStatus(text: string, wanted: string): boolean {
  const { payload } = JSON.parse(text) as { payload?: { status?: unknown } | null }
  const reported = payload?.status
  return (typeof reported === 'string' || typeof reported === 'number') && String(reported).trim() !== wanted
}
