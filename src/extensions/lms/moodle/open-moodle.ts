// The client for one Moodle site, with every read and write that credsync makes through its REST web services.

import { z } from 'zod'
import { type AssignmentEntry, mayReadGrades, writeAssignment } from './assignment.ts'
import { type MoodleCall, type MoodleConnection, openMoodleCall } from './call.ts'
import { completedInMoodle, participants } from './completed-learners.ts'
import { readMoodleCompletion } from './completion.ts'
import { courseByIdnumber, type MoodleCourse } from './course.ts'
import {
  enrolledLearners,
  findLearner,
  type LearnerQuery,
  type MoodleLearner,
  readMoodleLearner,
  seesOthers,
} from './learner.ts'
import { type PrivilegeArea, privileges } from './privileges.ts'
import { readProfile, requireProfileWriting, writeProfile } from './profile.ts'

export type Moodle = ReturnType<typeof openMoodle>

/**
 * Makes no call and checks nothing; use `verifyAccess` to check the token. A call that fails throws a MoodleError:
 * MoodleAwayError (try again later), MoodleRefusedError (stop, an operator must act) or MoodleRecordError (this record
 * only). The functions are documented where they are implemented. Their responses and errors were observed on a real
 * Moodle 4.5.6.
 */
export function openMoodle(connection: MoodleConnection) {
  const call = openMoodleCall(connection)
  return {
    courseByIdnumber: (idnumber: string) => courseByIdnumber(call, idnumber),
    learner: (userId: number) => readMoodleLearner(call, userId),
    findLearner: (query: LearnerQuery) => findLearner(call, query),
    enrolledLearners: (courseId: number) => enrolledLearners(call, courseId),
    completion: (courseId: number, userId: number) => readMoodleCompletion(call, courseId, userId),
    participants: (course: MoodleCourse, reportId: number, learners: readonly MoodleLearner[]) =>
      participants(call, course, reportId, learners),
    completedLearners: (course: MoodleCourse, reportId: number | null, known: Pick<ReadonlySet<number>, 'has'>) =>
      completedInMoodle(call, course, reportId, known),
    seesOthers: () => seesOthers(call),
    readProfile: (userId: number) => readProfile(call, userId),
    writeProfile: (userId: number, values: Readonly<Record<string, string>>) => writeProfile(call, userId, values),
    requireProfileWriting: () => requireProfileWriting(call),
    writeAssignment: (entry: AssignmentEntry) => writeAssignment(call, entry),
    mayReadGrades: (entry: Parameters<typeof mayReadGrades>[1]) => mayReadGrades(call, entry),
    verifyAccess: () => verifyAccess(call),
  }
}

/** A function that credsync needs, and whether the token may call it. */
export interface AccessLine {
  /** The web service function. */
  name: string
  part: PrivilegeArea
  neededFor: string
  /** True when the external service of the token contains the function. */
  available: boolean
}

const siteInfo = z.object({ functions: z.array(z.object({ name: z.string() })) })

/**
 * Returns one line for each function that credsync needs, compared with Moodle's list for the token's service; nothing
 * else is called and nothing is written. The list does not cover capabilities: a missing capability shows only when a
 * function is called.
 * @throws MoodleRefusedError when the token is wrong, or when the service lacks `core_webservice_get_site_info` itself
 */
async function verifyAccess(call: MoodleCall): Promise<AccessLine[]> {
  const { functions } = await call('core_webservice_get_site_info', {}, siteInfo)
  const callable = new Set(functions.map((each) => each.name))
  return privileges.map(({ name, part, neededFor }) => ({ name, part, neededFor, available: callable.has(name) }))
}
