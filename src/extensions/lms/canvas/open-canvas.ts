// The client for one Canvas site, with every read and write that credsync makes through its REST API.

import { z } from 'zod'
import { type CanvasConnection, openCanvasCall } from './call.ts'
import { completedInCanvas, type LatestCompletions } from './completed-learners.ts'
import { course } from './course.ts'
import { openGradebookColumns } from './gradebook-columns.ts'
import { concludedLearners, isTestStudent, readCanvasLearner } from './learner.ts'
import { openCourseCompletions, progressOfAll } from './progress.ts'

export type Canvas = ReturnType<typeof openCanvas>

/**
 * Makes no call and checks nothing; use `signIn` to check the token. A call that fails throws a CanvasError, whose
 * `failure` says what to do next. The functions are documented where they are implemented. They are based on
 * Instructure's documentation and Canvas's source code, and have never been run against a real Canvas site.
 */
export function openCanvas(connection: CanvasConnection) {
  const call = openCanvasCall(connection)
  return {
    /** Resolves when Canvas accepts the token. */
    signIn: async () => void (await call.get("the token's account", 'users/self', z.object({}))),
    course: (code: string) => course(call, code),
    learner: (courseId: string, ref: string) => readCanvasLearner(call, courseId, ref),
    isTestStudent: (courseId: string, learnerId: string) => isTestStudent(call, courseId, learnerId),
    completion: (courseId: string, learnerId: string, isConcluded: boolean) =>
      openCourseCompletions(call, courseId).read(learnerId, isConcluded),
    completedLearners: (courseId: string, known: Pick<ReadonlySet<string>, 'has'>, latest?: LatestCompletions) =>
      completedInCanvas(call, courseId, known, latest),
    /** The ids of the students whose progress Canvas shows. */
    async students(courseId: string): Promise<string[]> {
      const ids: string[] = []
      for await (const page of progressOfAll(call, courseId)) ids.push(...page.map(({ id }) => id))
      return ids
    },
    concluded: (courseId: string) => concludedLearners(call, courseId),
    columns: openGradebookColumns(call, connection.clock),
  }
}
