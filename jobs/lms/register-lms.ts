// Records the learning systems of the configuration in the database when a worker starts, makes waiting deliveries and
// completions due again, and logs faulty settings.

import type { App } from '#src/app/app.ts'
import { nightlyScheduleOf } from '#src/extensions/lms/sync/nightly-schedule.ts'
import { sharedFields } from '#src/extensions/lms/sync/shared-fields.ts'

export async function registerLms({
  ledger,
  learning,
  log,
  clock,
}: Pick<App, 'ledger' | 'learning' | 'log' | 'clock'>): Promise<void> {
  await ledger.learningSystems.register(
    learning.polled.map(({ name }) => name),
    learning.polled.map((each) => ({
      ...nightlyScheduleOf(each, clock.now()),
      checksDrift: each.readProfile !== undefined,
    })),
  )
  for (const { system, problem } of learning.unusable) {
    await ledger.learningSystems.noteUnusable(system, problem)
    log.event('system.unusable', { system })
  }
  for (const { system, field, pipelines } of sharedFields(learning.targets))
    log.event('profile.shared', { system, label: field, reason: pipelines.join(', ') })
  // The worker may have been restarted because the reason for waiting has been fixed.
  await ledger.deliveries.hurry([...new Set(learning.targets.map(({ name }) => name))], true)
  await ledger.completions.waitAgain()
  await ledger.completions.compareNow()
}
