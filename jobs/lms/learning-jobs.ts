// What learning systems need of a worker: they are registered, and asked and told what is due.

import type { ExtensionJobs } from '#jobs/extension-jobs.ts'
import type { Payload } from '#src/platform/queue/queues.ts'
import { createRuns } from './create-runs.ts'
import { registerLms } from './register-lms.ts'

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
