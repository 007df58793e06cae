// Begin: a worker has been told which learning systems there are, perhaps others than the one before it. What they stand at is put in order, and
// what its settings keep from working is told.

import type { App } from '#src/app.ts'
import { sharedFields } from '#src/learning/shared-fields.ts'

export async function beginLearning({
  ledger,
  learning,
  log,
}: Pick<App, 'ledger' | 'learning' | 'log'>): Promise<void> {
  await ledger.learningSystems.watch(learning.asked.map(({ name }) => name))
  for (const { system, problem } of learning.unusable) {
    await ledger.learningSystems.noteUnusable(system, problem)
    log.event('system.unusable', { system })
  }
  for (const { system, field, pipelines } of sharedFields(learning.targets))
    log.event('profile.shared', { system, label: field, reason: pipelines.join(', ') })
  await ledger.completions.waitAgain()
  await ledger.completions.compareNow()
}
