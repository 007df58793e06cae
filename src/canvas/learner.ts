// Learners of a course: who they are, as far as the account is shown it.

import { z } from 'zod'
import { type Call, idShape, segment } from './call.ts'
import { CanvasError } from './canvas-error.ts'

export interface CanvasLearner {
  /** Canvas's own id. */
  id: string
  /** The SIS id. */
  idnumber: string | null
  /** The login. */
  username: string | null
  firstname: string | null
  lastname: string | null
  /** As it is displayed, in full. */
  name: string | null
  email: string | null
}

const text = z.string().nullish()

// What the account may not see is left out.
const learnerShape = z
  .object({ id: idShape, name: text, sortable_name: text, sis_user_id: text, login_id: text, email: text })
  .transform(({ id, name, sortable_name, sis_user_id, login_id, email }): CanvasLearner => {
    const [, lastname, firstname] = /^([^,]+),\s*(.+)$/.exec(sortable_name?.trim() ?? '') ?? []
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

/** So many are named in one address: it has to stay within what servers take. */
const namedAtOnce = 50

/** @param named Canvas's id, or `sis_user_id:` with the SIS id behind it. @returns null for somebody who is not in the course */
export async function learner(call: Call, courseId: string, named: string): Promise<CanvasLearner | null> {
  const path = `courses/${segment(courseId)}/users/${segment(named)}?include[]=email`
  try {
    return await call.get('a learner of the course', path, learnerShape)
  } catch (error) {
    if (error instanceof CanvasError && error.status === 404) return null
    throw error
  }
}

/** Those of `ids` who are in the course, in any order. */
export async function* learners(
  call: Call,
  courseId: string,
  ids: readonly string[],
): AsyncGenerator<CanvasLearner, void, undefined> {
  for (let from = 0; from < ids.length; from += namedAtOnce) {
    const named = ids.slice(from, from + namedAtOnce).map((id) => `&user_ids[]=${id}`)
    const path = `courses/${segment(courseId)}/users?include[]=email${named.join('')}`
    for await (const page of call.list('the learners of the course', path, learnerShape)) yield* page
  }
}
