// Makes and changes courses. None of these calls can be asked for twice without harm, so each is sent once and told by its outcome.

import { courseBody } from './course-body.ts'
import type { CourseInput } from './course-fields.ts'
import type { Endpoint } from './endpoint.ts'
import { classifyChange, type Outcome, withoutAnswer } from './outcome.ts'
import { routeTo } from './routes.ts'
import type { Change, Send, SendOptions } from './sending.ts'

/** Default of `deadlineMs`: 60 000 (an image takes its time). */
export type ChangeOptions = Partial<SendOptions>

/**
 * Each resolves with what became of the one call: `accepted`, `refused`, `throttled`, `too_large`, `not_sent`, or `unknown` whether it was
 * applied (a reset, a timeout, 5xx, an answer that is no envelope): then read the course and see. Never repeated but after a 401.
 * Rejects, with nothing sent, with UnusableIdError for a uuid that is none.
 */
export interface CourseChanges {
  /** The answer brings no uuid: find the course by its number. Rejects with CourseInputError too, with every fault. */
  createCourse(input: CourseInput, options?: ChangeOptions): Promise<Outcome>
  /** All of a course, for what is not named becomes null (see readBackCourse). Rejects with CourseInputError too. */
  updateCourse(uuid: string, input: CourseInput, options?: ChangeOptions): Promise<Outcome>
  /** `unknown` with code STATUS_DISAGREES too, when the answer names another status than the wanted one. */
  setCourseEnabled(uuid: string, enabled: boolean, options?: ChangeOptions): Promise<Outcome>
  removeCourseLogo(uuid: string, which: 'square' | 'rectangle', options?: ChangeOptions): Promise<Outcome>
}

const usualDeadlineMs = 60_000

export interface CourseChangeEndpoints {
  create: Endpoint
  update: Endpoint
  status: Endpoint
  logo: Endpoint
}

export function openCourseChanges(endpoints: CourseChangeEndpoints, send: Send): CourseChanges {
  const once = (endpoint: Endpoint, change: Change, options?: ChangeOptions, classify = classifyChange) =>
    send(endpoint, change, { deadlineMs: usualDeadlineMs, ...options }, classify)

  return {
    createCourse: async (input, options) =>
      once(endpoints.create, { ...routeTo('course-create'), body: courseBody(input, 'create') }, options),
    updateCourse: async (uuid, input, options) =>
      once(endpoints.update, { ...routeTo('course-update', uuid), body: courseBody(input, 'update') }, options),
    setCourseEnabled: async (uuid, enabled, options) => {
      const wanted = enabled ? '1' : '0'
      return once(endpoints.status, routeTo('course-status', uuid, wanted), options, (exchange, now) => {
        const outcome = classifyChange(exchange, now)
        if (outcome.class !== 'accepted' || exchange.kind === 'failed') return outcome
        return disagrees(exchange.text, wanted)
          ? { ...withoutAnswer('unknown', 'STATUS_DISAGREES'), status: outcome.status, words: outcome.words }
          : outcome
      })
    },
    removeCourseLogo: async (uuid, which, options) => {
      const body = JSON.stringify({ remove_logo_type: which })
      return once(endpoints.logo, { ...routeTo('course-logo', uuid), body }, options)
    },
  }
}

/** Whether an accepted answer names another status. One that names none says no more than that it went well. */
function disagrees(text: string, wanted: string): boolean {
  const { payload } = JSON.parse(text) as { payload?: { status?: unknown } | null }
  const said = payload?.status
  return (typeof said === 'string' || typeof said === 'number') && String(said).trim() !== wanted
}
