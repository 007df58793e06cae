// The worker's jobs for learning systems: they are registered when the worker starts, polled, and sent the outcomes
// that are due.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import type { App } from '#src/app/app.ts'
import { nightlyScheduleOf } from '#src/extensions/lms/sync/nightly-schedule.ts'
import type { Payload } from '#src/platform/queue/queues.ts'
import { createRuns } from './process-events.ts'

export const learningJobs: ExtensionJobs = {
  async prepare(app, chosenWork, inboxes) {
    if (chosenWork.has('intake') && inboxes) await registerLms(app)
  },
  /** Also deletes the bodies of events whose retention has ended. */
  async queueDue(tools) {
    const { ledger, queues, learning, log } = tools
    let queued = await createRuns(tools)
    const addJob = async (job: Payload<'learning'>) => (queued += Number(await queues.enqueue('learning', job)))
    for (const system of await ledger.inboundEvents.waiting()) await addJob({ kind: 'process-events', system })
    for (const pipeline of await ledger.completions.takeToCompare()) await addJob({ kind: 'retry-refused', pipeline })
    for (const system of await ledger.learningSystems.take()) await addJob({ kind: 'poll', system })
    for (const system of await ledger.drift.take()) await addJob({ kind: 'detect-drift', system })
    for (const pipeline of await ledger.deliveries.waiting(learning.targets))
      await addJob({ kind: 'deliver', pipeline })
    const count = await ledger.inboundEvents.forgetBodies(learning.retention)
    if (count > 0) log.event('inbound_event.forgotten', { count })
    return queued
  },
}

/**
 * Records the learning systems of the configuration in the database when a worker starts, and makes waiting deliveries and
 * completions due again.
 */
export async function registerLms({
  ledger,
  learning,
  clock,
}: Pick<App, 'ledger' | 'learning' | 'clock'>): Promise<void> {
  await ledger.learningSystems.register(
    learning.polled.map(({ name }) => name),
    learning.polled.map((each) => ({
      ...nightlyScheduleOf(each, clock.now()),
      checksDrift: each.readProfile !== undefined,
    })),
  )
  // The worker may have been restarted because the reason for waiting has been fixed.
  await ledger.deliveries.hurry([...new Set(learning.targets.map(({ name }) => name))], true)
  await ledger.completions.waitAgain()
  await ledger.completions.compareNow()
}
