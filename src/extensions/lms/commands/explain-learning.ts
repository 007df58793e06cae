// What `explain` shows about learning systems: the completion that led to an issuance, and what was delivered about it.

import type { ExplainedBeside } from '#src/cli/extension-parts.ts'
import type { ShownCompletion } from '#src/extensions/lms/ledger/completions.ts'
import type { ShownDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import type { LearningStores } from '#src/extensions/lms/ledger/learning-stores.ts'
import { minuteOf } from '#src/platform/time/duration.ts'

export async function explainLearning(
  { completions, deliveries }: Pick<LearningStores, 'completions' | 'deliveries'>,
  issuances: readonly { id: number }[],
): Promise<ExplainedBeside> {
  const ids = issuances.map(({ id }) => id)
  const [led, delivered] = [await completions.ofIssuances(ids), await deliveries.ofIssuances(ids)]
  return {
    documentOf: (id) => ({ completion: led.get(id) ?? null, deliveries: delivered.get(id) ?? [] }),
    factsOf: (id) => [['completed', completed(led.get(id))]],
    linesOf: (id) => (delivered.get(id) ?? []).map(deliveryLine),
  }
}

function completed(completion: ShownCompletion | undefined): string | null {
  if (!completion) return null
  const { system, course, completedAt, foundAt, foundBy } = completion
  const way = foundBy === 'event' ? 'an event' : 'polling'
  return `${course} in ${system} at ${minuteOf(new Date(completedAt))}, received by ${way} at ${minuteOf(new Date(foundAt))} UTC`
}

const deliveryLine = ({ target, wanted, state, at, problem }: ShownDelivery) =>
  `  delivered     ${target}: ${wanted}, ${state.replace('_', ' ')} ${minuteOf(new Date(at))} UTC${problem ? `. ${problem}` : ''}`
