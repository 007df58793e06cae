// Learners: one by id, one by what is known of a person, all that are enrolled in a course.

import { z } from 'zod'
import type { Call } from './call.ts'
import { decodeEntities } from './html.ts'
import { MoodleRecordError } from './moodle-record-error.ts'

export interface Learner {
  /** Moodle's own user id: the one thing about a learner that never changes. */
  id: number
  /** The institution's number; null when empty or not shown to the account. Not unique by force: Moodle lets two accounts have one. */
  idnumber: string | null
  username: string | null
  firstname: string | null
  lastname: string | null
  email: string | null
}

export interface SoughtLearner {
  idnumber?: string
  id?: number
  email?: string
}

const text = z.string().nullish()
const asText = (escaped: string | null | undefined) => decodeEntities(escaped ?? '') || null

// Which of these Moodle shows depends on the privileges of the account; it leaves out the others.
const learnerShape = z
  .object({
    id: z.int().positive(),
    idnumber: text,
    username: text,
    firstname: text,
    lastname: text,
    email: text,
  })
  .transform(
    ({ id, idnumber, username, firstname, lastname, email }): Learner => ({
      id,
      idnumber: asText(idnumber),
      username: username || null,
      firstname: asText(firstname),
      lastname: asText(lastname),
      email: email || null,
    }),
  )

const byField = 'core_user_get_users_by_field'

/** The learner with this user id; null when there is none, or none that the account may see. */
export async function learner(call: Call, userId: number): Promise<Learner | null> {
  const found = await call(byField, { field: 'id', values: [userId] }, z.array(learnerShape))
  return found.find((each) => each.id === userId) ?? null
}

/**
 * The learner with this ID number; failing that with this user id; failing that with this e-mail address. What is absent or empty is
 * skipped. Throws MoodleRecordError `severalmatch` rather than choose between two accounts.
 *
 * Addresses: Moodle on PostgreSQL compares them letter by letter (asked for `ADA@…` it finds nobody who is `ada@…`), so the address is asked
 * for as given and in lower case, and matches are compared without case here. Not found is an address that the account
 * keeps with capitals and that was asked for with other ones; `enrolled` shows it, and is the way for learners of a course.
 */
export async function findLearner(call: Call, sought: SoughtLearner): Promise<Learner | null> {
  const { idnumber = '', id = 0 } = sought
  const email = sought.email?.trim() ?? ''
  if (idnumber !== '') {
    const found = await call(byField, { field: 'idnumber', values: [idnumber] }, z.array(learnerShape))
    // MySQL takes "e-1" for "E-1" and "é" for "e".
    const match = only(found.filter((each) => each.idnumber === idnumber))
    if (match) return match
  }
  if (id > 0) {
    const match = await learner(call, id)
    if (match) return match
  }
  if (email === '') return null
  const values = [...new Set([email, email.toLowerCase()])]
  const found = await call(byField, { field: 'email', values }, z.array(learnerShape))
  return only(found.filter((each) => each.email?.toLowerCase() === email.toLowerCase()))
}

/**
 * Everybody who is enrolled in the course now: enrolments that are suspended, not begun or over are left out. Teachers are in it too; to
 * `completion` they are `not-enrolled`. Needs moodle/course:enrolreview, else MoodleRefusedError `nopermissions`.
 */
export function enrolled(call: Call, courseId: number): Promise<Learner[]> {
  const options = [
    { name: 'onlyactive', value: 1 },
    // Without it each learner brings all their courses along.
    { name: 'userfields', value: 'id,idnumber,username,firstname,lastname,email' },
  ]
  return call('core_enrol_get_enrolled_users', { courseid: courseId, options }, z.array(learnerShape), 'long')
}

function only(matches: Learner[]): Learner | null {
  if (matches.length > 1) throw new MoodleRecordError(byField, 'severalmatch')
  return matches[0] ?? null
}
