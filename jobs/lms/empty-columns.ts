// Finds learners whose rows are invalid because the learning system did not show a column. A system reports no error
// when its account lacks a permission: it omits the value. Reads the system over the network, and records problems in
// the ledger.

import type { Tools } from '#jobs/job-tools.ts'
import type {
  CompletionPipeline,
  FoundCompletions,
  PolledCourse,
  PolledSystem,
} from '#src/extensions/lms/systems/polled-system.ts'
import { learnersOf, type Problem, sentencesOf } from '#src/extensions/lms/systems/problems.ts'

type EmptyColumnTools = Pick<Tools, 'ledger' | 'learning' | 'log'>

const columnNames: Readonly<Record<string, string>> = {
  email: 'e-mail address',
  username: 'user name',
  idnumber: 'ID number',
  firstname: 'first name',
  lastname: 'last name',
}

/**
 * Finds completions of learners who are not known yet, or of everybody, and reads learners with an empty column again,
 * since the column may be visible now.
 */
export async function findNewOrIncomplete(
  { ledger }: Pick<EmptyColumnTools, 'ledger'>,
  { lms, course, pipeline }: { lms: PolledSystem; course: PolledCourse; pipeline: CompletionPipeline },
  includeKnown: boolean,
): Promise<FoundCompletions> {
  const latest = await ledger.completions.known(lms.name, pipeline.pipeline)
  const emptyColumns = await ledger.completions.withEmptyColumns(lms.name, pipeline.pipeline)
  const isKnown = (learner: string) => !includeKnown && latest.has(learner) && !emptyColumns.has(learner)
  const known = { has: isKnown, size: includeKnown ? 0 : latest.size }
  const { completions, problems } = await course.findAll(known, includeKnown ? latest : undefined)
  const problemsOfEmptyColumns = completions.flatMap(({ learner, cells }) => {
    const columns = emptyColumns.get(learner) ?? []
    return problemsOf(
      lms,
      learner,
      columns.filter((column) => cells[column] === undefined),
    )
  })
  return { completions, problems: [...problems, ...problemsOfEmptyColumns] }
}

/**
 * Called after a run of completions has been read, so that empty columns are reported without waiting for the next
 * poll.
 */
export async function noteEmptyColumns(
  { ledger, learning, log }: EmptyColumnTools,
  { sourceName: system, pipeline }: { sourceName: string; pipeline: string },
): Promise<void> {
  const lms = learning.polled.find(({ name }) => name === system)
  if (!lms) return
  const emptyColumns = await ledger.completions.withEmptyColumns(system, pipeline)
  const problems = [...emptyColumns].flatMap(([learner, columns]) => problemsOf(lms, learner, columns))
  if (problems.length === 0) return
  log.event('system.strange', { system, pipeline, count: problems.length, learner: learnersOf(problems) })
  const sentences = sentencesOf(problems).map((problem) => `Pipeline ${pipeline}: ${problem}`)
  await ledger.learningSystems.noteProblem(system, sentences.join(' '))
}

/** Returns a problem for each empty column that a missing permission can explain; the sentence says what to do. */
function problemsOf({ rightsToSee = {} }: PolledSystem, learner: string, emptyColumns: readonly string[]): Problem[] {
  return emptyColumns
    .filter((column) => Object.hasOwn(rightsToSee, column))
    .map((column) => ({
      learner,
      sentence: `The system shows no ${columnNames[column] ?? column}, which the course needs, so the row is invalid: ${rightsToSee[column]}, or fill in the value where it is empty. The row is retried automatically.`,
    }))
}
