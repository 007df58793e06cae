// Creates and changes courses. None of these calls is safe to repeat, so each is sent once and its outcome is returned.

import type { Endpoint } from '../endpoint.ts'
import { routeTo } from '../routes.ts'
import { classifyChange, type Outcome, withoutAnswer } from '../sending/outcome.ts'
import type { Change, SendChange, SendOptions } from '../sending/send-change.ts'
import { courseBody } from './course-body.ts'
import type { CourseInput } from './course-fields.ts'

/** Default of `deadlineMs`: 60 000, because images take time. */
export type ChangeOptions = Partial<SendOptions>

/**
 * Each method resolves with the outcome of its one call: `accepted`, `refused`, `throttled`, `too_large`, `not_sent`,
 * or `unknown` (after a reset, a timeout, 5xx, or an answer that is not an envelope). After `unknown`, read the course
 * to find out whether the change was applied. A call is repeated only after a 401. For an unusable uuid, the promise
 * rejects with UnusableIdError before anything is sent.
 */
export interface CourseChanges {
  /**
   * The answer contains no uuid, so find the course by its number. Also rejects with CourseInputError, which lists
   * every fault.
   */
  createCourse(input: CourseInput, options?: ChangeOptions): Promise<Outcome>
  /**
   * Sends all fields of a course, because the service sets missing ones to null (see readBackCourse). Also rejects with
   * CourseInputError.
   */
  updateCourse(uuid: string, input: CourseInput, options?: ChangeOptions): Promise<Outcome>
  /** Also `unknown`, with code STATUS_DISAGREES, if the answer reports a different status from the requested one. */
  setCourseEnabled(uuid: string, enabled: boolean, options?: ChangeOptions): Promise<Outcome>
  removeCourseLogo(uuid: string, logo: 'square' | 'rectangle', options?: ChangeOptions): Promise<Outcome>
}

const defaultDeadlineMs = 60_000

export interface CourseChangeEndpoints {
  create: Endpoint
  update: Endpoint
  status: Endpoint
  logo: Endpoint
}

export function openCourseChanges(endpoints: CourseChangeEndpoints, send: SendChange): CourseChanges {
  const sendOnce = (endpoint: Endpoint, change: Change, options?: ChangeOptions, classify = classifyChange) =>
    send(endpoint, change, { deadlineMs: defaultDeadlineMs, ...options }, classify)

  return {
    createCourse: async (input, options) =>
      sendOnce(endpoints.create, { ...routeTo('course-create'), body: courseBody(input, 'create') }, options),
    updateCourse: async (uuid, input, options) =>
      sendOnce(endpoints.update, { ...routeTo('course-update', uuid), body: courseBody(input, 'update') }, options),
    setCourseEnabled: async (uuid, enabled, options) => {
      const wanted = enabled ? '1' : '0'
      return sendOnce(endpoints.status, routeTo('course-status', uuid, wanted), options, (exchange, now) => {
        const outcome = classifyChange(exchange, now)
        if (outcome.class !== 'accepted' || exchange.kind === 'failed') return outcome
        return reportsOtherStatus(exchange.text, wanted)
          ? { ...withoutAnswer('unknown', 'STATUS_DISAGREES'), status: outcome.status, words: outcome.words }
          : outcome
      })
    },
    removeCourseLogo: async (uuid, logo, options) => {
      const body = JSON.stringify({ remove_logo_type: logo })
      return sendOnce(endpoints.logo, { ...routeTo('course-logo', uuid), body }, options)
    },
  }
}

/**
 * Whether an accepted answer reports a different status. An answer without a status only says that the call succeeded.
 */
function reportsOtherStatus(text: string, wanted: string): boolean {
  const { payload } = JSON.parse(text) as { payload?: { status?: unknown } | null }
  const reported = payload?.status
  return (typeof reported === 'string' || typeof reported === 'number') && String(reported).trim() !== wanted
}
