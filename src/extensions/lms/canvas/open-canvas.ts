// The client for one Canvas site, with every read and write that credsync makes through its REST API.

import { z } from 'zod'
import { type CanvasConnection, openCanvasCall } from './call.ts'
import { completedInCanvas, type FoundInCanvas, type LatestCompletions } from './completed-learners.ts'
import { type CanvasCourse, course } from './course.ts'
import { type GradebookColumns, openGradebookColumns } from './gradebook-columns.ts'
import { type CanvasLearner, concludedLearners, isTestStudent, readCanvasLearner } from './learner.ts'
import { type CanvasCompletion, openCourseCompletions, progressOfAll } from './progress.ts'

/**
 * A call that fails throws a CanvasError, whose `fault` says what to do next. The functions are documented where they
 * are implemented. They are based on Instructure's documentation and Canvas's source code, and have never been run
 * against a real Canvas site.
 */
export interface Canvas {
  /** Resolves when Canvas accepts the token. */
  signIn(): Promise<void>
  course(code: string): Promise<CanvasCourse | null>
  learner(courseId: string, ref: string): Promise<{ learner: CanvasLearner; isConcluded: boolean } | null>
  isTestStudent(courseId: string, learnerId: string): Promise<boolean>
  completion(courseId: string, learnerId: string, isConcluded: boolean): Promise<CanvasCompletion>
  completedLearners(
    courseId: string,
    known: Pick<ReadonlySet<string>, 'has'>,
    latest?: LatestCompletions,
  ): AsyncIterable<FoundInCanvas>
  /** The ids of the students whose progress Canvas shows. */
  students(courseId: string): Promise<string[]>
  concluded(courseId: string): AsyncIterable<CanvasLearner>
  columns: GradebookColumns
}

/** Makes no call and checks nothing; use `signIn` to check the token. */
export function openCanvas(connection: CanvasConnection): Canvas {
  const call = openCanvasCall(connection)
  return {
    signIn: async () => void (await call.get("the token's account", 'users/self', z.object({}))),
    course: (code) => course(call, code),
    learner: (courseId, ref) => readCanvasLearner(call, courseId, ref),
    isTestStudent: (courseId, learnerId) => isTestStudent(call, courseId, learnerId),
    completion: (courseId, learnerId, isConcluded) =>
      openCourseCompletions(call, courseId).read(learnerId, isConcluded),
    completedLearners: (courseId, known, latest) => completedInCanvas(call, courseId, known, latest),
    async students(courseId) {
      const ids: string[] = []
      for await (const page of progressOfAll(call, courseId)) ids.push(...page.map(({ id }) => id))
      return ids
    },
    concluded: (courseId) => concludedLearners(call, courseId),
    columns: openGradebookColumns(call, connection.clock),
  }
}
