// The client for one Moodle site, with every read and write that credsync makes through its REST web services.

import { z } from 'zod'
import { type AssignmentEntry, mayReadGrades, writeAssignment } from './assignment.ts'
import { type MoodleCall, type MoodleConnection, openMoodleCall } from './call.ts'
import { completedInMoodle, type FoundInMoodle, participants } from './completed-learners.ts'
import { type MoodleCompletion, readMoodleCompletion } from './completion.ts'
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
import { type MoodleWriteResult, type Profile, readProfile, requireProfileWriting, writeProfile } from './profile.ts'
import type { Participant } from './report-columns.ts'

/**
 * A call that fails throws a MoodleError: MoodleAwayError (try again later), MoodleRefusedError (stop, an operator must
 * act) or MoodleRecordError (this record only). The functions are documented where they are implemented. Their
 * responses and errors were observed on a real Moodle 4.5.6.
 */
export interface Moodle {
  courseByIdnumber(idnumber: string): Promise<MoodleCourse | null>
  learner(userId: number): Promise<MoodleLearner | null>
  findLearner(query: LearnerQuery): Promise<MoodleLearner | null>
  enrolledLearners(courseId: number): Promise<MoodleLearner[]>
  completion(courseId: number, userId: number): Promise<MoodleCompletion>
  participants(course: MoodleCourse, reportId: number, learners: readonly MoodleLearner[]): Promise<Participant[]>
  completedLearners(
    course: MoodleCourse,
    reportId: number | null,
    known: Pick<ReadonlySet<number>, 'has'>,
  ): AsyncIterable<FoundInMoodle>
  seesOthers(): Promise<boolean>
  readProfile(userId: number): Promise<Profile | null>
  writeProfile(userId: number, values: Readonly<Record<string, string>>): Promise<MoodleWriteResult>
  requireProfileWriting(): Promise<void>
  writeAssignment(entry: AssignmentEntry): Promise<MoodleWriteResult>
  mayReadGrades(entry: Parameters<typeof mayReadGrades>[1]): Promise<boolean>
  verifyAccess(): Promise<AccessLine[]>
}

/** Makes no call and checks nothing; use `verifyAccess` to check the token. */
export function openMoodle(connection: MoodleConnection): Moodle {
  const call = openMoodleCall(connection)
  return {
    courseByIdnumber: (idnumber) => courseByIdnumber(call, idnumber),
    learner: (userId) => readMoodleLearner(call, userId),
    findLearner: (query) => findLearner(call, query),
    enrolledLearners: (courseId) => enrolledLearners(call, courseId),
    completion: (courseId, userId) => readMoodleCompletion(call, courseId, userId),
    participants: (course, reportId, learners) => participants(call, course, reportId, learners),
    completedLearners: (course, reportId, known) => completedInMoodle(call, course, reportId, known),
    seesOthers: () => seesOthers(call),
    readProfile: (userId) => readProfile(call, userId),
    writeProfile: (userId, values) => writeProfile(call, userId, values),
    requireProfileWriting: () => requireProfileWriting(call),
    writeAssignment: (entry) => writeAssignment(call, entry),
    mayReadGrades: (entry) => mayReadGrades(call, entry),
    verifyAccess: () => verifyAccess(call),
  }
}

// Reads from Moodle which functions the token may call, and compares them with the functions that credsync needs.

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
 * Returns one line for each function, from Moodle's list for the token's service; nothing else is called and nothing is
 * written. The list does not cover capabilities: a missing capability shows only when a function is called.
 * @throws MoodleRefusedError when the token is wrong, or when the service lacks `core_webservice_get_site_info` itself
 */
async function verifyAccess(call: MoodleCall): Promise<AccessLine[]> {
  const { functions } = await call('core_webservice_get_site_info', {}, siteInfo)
  const callable = new Set(functions.map((each) => each.name))
  return privileges.map(({ name, part, neededFor }) => ({ name, part, neededFor, available: callable.has(name) }))
}
