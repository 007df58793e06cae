// Reads learners from Moodle: one by user id, one by other properties, or everyone enrolled in a course.

import { z } from 'zod'
import type { MoodleCall } from './call.ts'
import { decodeEntities } from './html.ts'
import { MoodleRecordError } from './moodle-error.ts'

export interface MoodleLearner {
  /** The Moodle user id, the only property of a learner that never changes. */
  id: number
  /**
   * The ID number that the institution assigned; null when empty or not shown to the account. Not necessarily unique:
   * Moodle allows two accounts to have the same one.
   */
  idnumber: string | null
  username: string | null
  firstname: string | null
  lastname: string | null
  email: string | null
}

export interface LearnerQuery {
  idnumber?: string
  id?: number
  username?: string
  email?: string
}

const text = z
  .string()
  .nullish()
  .transform((value) => value || null)
const escapedText = text.transform((value) => decodeEntities(value ?? '') || null)

// Moodle omits the properties that the account has no privilege to see.
const learnerShape = z.object({
  id: z.int().positive(),
  idnumber: escapedText,
  username: text,
  firstname: escapedText,
  lastname: escapedText,
  email: text,
})

const usersFunction = 'core_user_get_users_by_field'

/** Returns the learner with this user id; null when the account can see no such learner. */
export async function readMoodleLearner(call: MoodleCall, userId: number): Promise<MoodleLearner | null> {
  const found = await call(usersFunction, { field: 'id', values: [userId] }, z.array(learnerShape))
  return found.find((entry) => entry.id === userId) ?? null
}

/** The ids of the accounts that every Moodle has after installation: the guest and the first administrator. */
const builtInAccountIds = [1, 2]

/** True when the account may see accounts other than its own and those of teachers, which everyone may see. */
export async function seesOthers(call: MoodleCall): Promise<boolean> {
  return (await call(usersFunction, { field: 'id', values: builtInAccountIds }, z.array(learnerShape))).length > 0
}

/**
 * Finds a learner by ID number, user id, user name, or e-mail address, tried in this order. Properties that are absent
 * or empty are skipped. Moodle on PostgreSQL compares e-mail addresses case-sensitively (a search for `ADA@…` does not
 * find `ada@…`). So the search uses the address as given and in lower case, and matches are compared case-insensitively
 * here. An address that is stored with other capitalization is not found; for learners of a course, `enrolledLearners`
 * returns it.
 * @throws MoodleRecordError `severalmatch` rather than choose between two accounts
 */
export async function findLearner(call: MoodleCall, query: LearnerQuery): Promise<MoodleLearner | null> {
  const { idnumber = '', id = 0 } = query
  const username = query.username?.toLowerCase() ?? ''
  const email = query.email?.trim() ?? ''
  const search = async (field: string, values: string[], isMatch: (learner: MoodleLearner) => boolean) => {
    const matches = (await call(usersFunction, { field, values }, z.array(learnerShape))).filter(isMatch)
    if (matches.length > 1) throw new MoodleRecordError(usersFunction, 'severalmatch')
    return matches[0]
  }
  return (
    // MySQL treats "e-1" as "E-1", and "é" as "e".
    (idnumber && (await search('idnumber', [idnumber], (each) => each.idnumber === idnumber))) ||
    (id > 0 && (await readMoodleLearner(call, id))) ||
    // Moodle stores user names in lower case.
    (username && (await search('username', [username], (each) => each.username === username))) ||
    (email &&
      (await search(
        'email',
        [...new Set([email, email.toLowerCase()])],
        (each) => each.email?.toLowerCase() === email.toLowerCase(),
      ))) ||
    null
  )
}

/**
 * Returns everyone who is currently enrolled in the course; suspended, future and expired enrollments are excluded.
 * Teachers are included; `completion` reports them as `not-enrolled`.
 * @throws MoodleRefusedError `nopermissions` without moodle/course:enrolreview
 */
export function enrolledLearners(call: MoodleCall, courseId: number): Promise<MoodleLearner[]> {
  const options = [
    { name: 'onlyactive', value: 1 },
    // Without this option, Moodle returns every learner with all their courses.
    { name: 'userfields', value: 'id,idnumber,username,firstname,lastname,email' },
  ]
  return call('core_enrol_get_enrolled_users', { courseid: courseId, options }, z.array(learnerShape), 'long')
}
