// Finds learners whose rows are invalid because the learning system did not show a column. A system reports no error
// when its account lacks a permission: it omits the value. Records problems in the ledger.

import type { LearningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import type { PolledSystem } from '#src/extensions/lms/systems/polled-system.ts'
import { learnersOf, type Problem, sentencesOf } from '#src/extensions/lms/systems/problems.ts'
import type { Log } from '#src/platform/log/log.ts'
import type { LearningSystems } from './open-learning-systems.ts'

export interface LearningTools {
  ledger: Pick<LearningStores, 'completions' | 'learningSystems'>
  learning: LearningSystems
  log: Log
}

const columnNames: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  username: 'user name',
  idnumber: 'ID number',
  firstname: 'first name',
  lastname: 'last name',
}

/**
 * Called after a run of completions has been read, so that empty columns are reported without waiting for the next
 * poll.
 */
export async function noteEmptyColumns(
  { ledger, learning, log }: LearningTools,
  { sourceName: system, pipeline }: { sourceName: string; pipeline: string },
): Promise<void> {
  const lms = learning.polled.find(({ name }) => name === system)
  if (!lms) return
  const emptyColumns = await ledger.completions.withEmptyColumns(system, pipeline)
  const problems = [...emptyColumns].flatMap(([learner, columns]) => problemsOfEmptyColumns(lms, learner, columns))
  if (problems.length === 0) return
  log.event('system.strange', { system, pipeline, count: problems.length, learner: learnersOf(problems) })
  const sentences = sentencesOf(problems).map((problem) => `Pipeline ${pipeline}: ${problem}`)
  await ledger.learningSystems.noteProblem(system, sentences.join(' '))
}

/** Returns a problem for each empty column that a missing permission can explain; the sentence says what to do. */
export function problemsOfEmptyColumns(
  { rightsToSee = {} }: PolledSystem,
  learner: string,
  emptyColumns: readonly string[],
): Problem[] {
  return emptyColumns
    .filter((column) => Object.hasOwn(rightsToSee, column))
    .map((column) => ({
      learner,
      sentence: `The system shows no ${columnNames[column] ?? column}, which the course needs, so the row is invalid: ${rightsToSee[column]}, or fill in the value where it is empty. The row is retried automatically.`,
    }))
}
