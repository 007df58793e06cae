// The client of one Moodle site: everything that can be asked of it and written to it, over its REST web services.

import { type AssignmentEntry, writeAssignment } from './assignment.ts'
import { type Connection, openCall } from './call.ts'
import { completedLearners, type FoundCompletion, participants, type Report } from './completed-learners.ts'
import { type Completion, completion } from './completion.ts'
import { courseByIdnumber, type MoodleCourse } from './course.ts'
import { enrolled, findLearner, type Learner, learner, type SoughtLearner } from './learner.ts'
import { type Profile, readProfile, writeProfile } from './profile.ts'
import type { Participant } from './report-columns.ts'
import { type AccessLine, verifyAccess } from './verify-access.ts'
import type { Written } from './written.ts'

/**
 * Each function throws a MoodleError: MoodleAwayError (ask later), MoodleRefusedError (stop, a person is needed) or MoodleRecordError (this record
 * only). What each does is said where it is written. The answers and errors are those of a real Moodle 4.5.6.
 */
export interface Moodle {
  courseByIdnumber(idnumber: string): Promise<MoodleCourse | null>
  learner(userId: number): Promise<Learner | null>
  findLearner(sought: SoughtLearner): Promise<Learner | null>
  enrolled(courseId: number): Promise<Learner[]>
  completion(courseId: number, userId: number): Promise<Completion>
  participants(course: MoodleCourse, report: Report): AsyncIterable<Participant>
  completedLearners(
    course: MoodleCourse,
    report: Report | null,
    known: ReadonlySet<number>,
  ): AsyncIterable<FoundCompletion>
  readProfile(userId: number): Promise<Profile | null>
  writeProfile(userId: number, values: Readonly<Record<string, string>>): Promise<Written>
  writeAssignment(entry: AssignmentEntry): Promise<Written>
  verifyAccess(): Promise<AccessLine[]>
}

/** Opens no connection and checks nothing: `verifyAccess` does. */
export function openMoodle(connection: Connection): Moodle {
  const call = openCall(connection)
  return {
    courseByIdnumber: (idnumber) => courseByIdnumber(call, idnumber),
    learner: (userId) => learner(call, userId),
    findLearner: (sought) => findLearner(call, sought),
    enrolled: (courseId) => enrolled(call, courseId),
    completion: (courseId, userId) => completion(call, courseId, userId),
    participants: (course, report) => participants(call, course, report),
    completedLearners: (course, report, known) => completedLearners(call, course, report, known),
    readProfile: (userId) => readProfile(call, userId),
    writeProfile: (userId, values) => writeProfile(call, userId, values),
    writeAssignment: (entry) => writeAssignment(call, entry),
    verifyAccess: () => verifyAccess(call),
  }
}
