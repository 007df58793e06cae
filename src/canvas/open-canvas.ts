// The client of one Canvas: everything that can be asked of it and written to it.

import { z } from 'zod'
import { type Connection, openCall } from './call.ts'
import { type ColumnEntry, columnTitles, type Written, writeColumns } from './columns.ts'
import { completedLearners, type FoundCompletion } from './completed-learners.ts'
import { type CanvasCourse, course } from './course.ts'
import { type CanvasLearner, learner } from './learner.ts'
import { type Completion, completion, progressOfAll } from './progress.ts'

/**
 * Each function throws a CanvasError, whose `fault` says what to do next. What each does is said where it is written. Read in Instructure's documentation
 * and Canvas's source, and never run against a real Canvas.
 */
export interface Canvas {
  /** Settles when the token is taken. */
  signIn(): Promise<void>
  course(code: string): Promise<CanvasCourse | null>
  learner(courseId: string, named: string): Promise<CanvasLearner | null>
  completion(courseId: string, learnerId: string): Promise<Completion>
  completedLearners(courseId: string, known: ReadonlySet<string>): AsyncIterable<FoundCompletion>
  /** Ids of the students whose progress is shown. */
  students(courseId: string): Promise<string[]>
  columnTitles(course: string): Promise<string[]>
  writeColumns(entry: ColumnEntry): Promise<Written>
}

/** Opens no connection and checks nothing: `signIn` does. */
export function openCanvas(connection: Connection): Canvas {
  const call = openCall(connection)
  return {
    signIn: async () => void (await call.get("the token's account", 'users/self', z.object({}))),
    course: (code) => course(call, code),
    learner: (courseId, named) => learner(call, courseId, named),
    completion: (courseId, learnerId) => completion(call, courseId, learnerId),
    completedLearners: (courseId, known) => completedLearners(call, courseId, known),
    async students(courseId) {
      const ids: string[] = []
      for await (const page of progressOfAll(call, courseId)) ids.push(...page.map(({ id }) => id))
      return ids
    },
    columnTitles: (code) => columnTitles(call, code),
    writeColumns: (entry) => writeColumns(call, entry),
  }
}
