// Reads the names, ids, and e-mail addresses of a course's learners from Canvas, as far as the account may see them.

import { z } from 'zod'
import { type CanvasCall, idShape, pathSegment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export interface CanvasLearner {
  /** The Canvas id. */
  id: string
  /** The SIS id. */
  idnumber: string | null
  /** The login name. */
  username: string | null
  firstname: string | null
  lastname: string | null
  /** The full name, as Canvas displays it. */
  name: string | null
  email: string | null
}

const text = z.string().nullish()

// Canvas omits the properties that the account may not see.
const learnerShape = z
  .object({ id: idShape, name: text, sortable_name: text, sis_user_id: text, login_id: text, email: text })
  .transform(({ id, name, sortable_name, sis_user_id, login_id, email }): CanvasLearner => {
    const [, lastname, firstname] = /^([^,]+),\s*(\S.*)$/.exec(sortable_name?.trim() ?? '') ?? []
    return {
      id,
      idnumber: sis_user_id || null,
      username: login_id || null,
      firstname: firstname ?? null,
      lastname: lastname?.trim() ?? null,
      name: name || null,
      email: email || null,
    }
  })

/** The number of ids in one URL. A longer URL might exceed the length that servers accept. */
const idsPerRequest = 50

/**
 * Reads one learner of the course.
 * @param ref the Canvas id, or `sis_user_id:` and the SIS id
 * @returns null when the account sees no such person in the course
 */
export async function readCanvasLearner(
  call: CanvasCall,
  courseId: string,
  ref: string,
): Promise<{ learner: CanvasLearner; isConcluded: boolean } | null> {
  const path = `courses/${pathSegment(courseId)}/users/${pathSegment(ref)}?include[]=email`
  try {
    return { learner: await call.get('a learner of the course', path, learnerShape), isConcluded: false }
  } catch (error) {
    if (!(error instanceof CanvasError) || error.status !== 404) throw error
  }
  const sisId = /^sis_user_id:(.*)$/s.exec(ref)?.[1]
  for await (const learner of concludedLearners(call, courseId, sisId === undefined ? ref : undefined))
    if (learner.id === ref || learner.idnumber === sisId) return { learner, isConcluded: true }
  return null
}

/** Yields the learners among `ids` who are in the course, in any order. */
export async function* learners(
  call: CanvasCall,
  courseId: string,
  ids: readonly string[],
): AsyncGenerator<CanvasLearner, void, undefined> {
  for (let from = 0; from < ids.length; from += idsPerRequest) {
    const userIds = ids.slice(from, from + idsPerRequest).map((id) => `&user_ids[]=${id}`)
    yield* listed(call, courseId, userIds.join(''))
  }
}

/** Yields the people whose enrollment as a student is concluded, or the one with this id. */
export function concludedLearners(
  call: CanvasCall,
  courseId: string,
  id?: string,
): AsyncGenerator<CanvasLearner, void, undefined> {
  const one = id === undefined ? '' : `&user_ids[]=${id}`
  return listed(call, courseId, `&enrollment_type[]=student&enrollment_state[]=completed${one}`)
}

/**
 * Whether this is the Test Student, the account with which teachers try out the course. Canvas reports its completions
 * as well.
 */
export async function isTestStudent(call: CanvasCall, courseId: string, id: string): Promise<boolean> {
  for await (const learner of listed(call, courseId, '&enrollment_type[]=student_view'))
    if (learner.id === id) return true
  return false
}

async function* listed(
  call: CanvasCall,
  courseId: string,
  filter: string,
): AsyncGenerator<CanvasLearner, void, undefined> {
  const path = `courses/${pathSegment(courseId)}/users?include[]=email${filter}`
  for await (const page of call.list('the learners of the course', path, learnerShape)) yield* page
}
