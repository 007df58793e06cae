// Asks a system for completions, and reads learners with an empty column again. Reads the system over the network.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { problemsOfEmptyColumns } from '#src/extensions/lms/sync/empty-columns.ts'
import type {
  CompletionPipeline,
  FoundCompletions,
  PolledCourse,
  PolledSystem,
} from '#src/extensions/lms/systems/polled-system.ts'

/**
 * Finds completions of learners who are not known yet, or of everybody, and reads learners with an empty column again,
 * since the column may be visible now.
 */
export async function findNewOrIncomplete(
  { ledger }: Pick<ExtensionTools, 'ledger'>,
  { lms, course, pipeline }: { lms: PolledSystem; course: PolledCourse; pipeline: CompletionPipeline },
  includeKnown: boolean,
): Promise<FoundCompletions> {
  const latest = await ledger.completions.known(lms.name, pipeline.pipeline)
  const emptyColumns = await ledger.completions.withEmptyColumns(lms.name, pipeline.pipeline)
  const isKnown = (learner: string) => !includeKnown && latest.has(learner) && !emptyColumns.has(learner)
  const known = { has: isKnown, size: includeKnown ? 0 : latest.size }
  const { completions, problems } = await course.findAll(known, includeKnown ? latest : undefined)
  const ofEmptyColumns = completions.flatMap(({ learner, cells }) => {
    const columns = emptyColumns.get(learner) ?? []
    return problemsOfEmptyColumns(
      lms,
      learner,
      columns.filter((column) => cells[column] === undefined),
    )
  })
  return { completions, problems: [...problems, ...ofEmptyColumns] }
}
