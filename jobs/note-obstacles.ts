// Records in the ledger what keeps this worker from its work, so that people who are waiting for a run in another
// process see the reason (src/issuing/descriptions/waiting-reasons.ts).

import type { App } from '#src/app/app.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { QueueUnreachableError } from '#src/platform/queue/answer-within.ts'
import { safeMessage } from '#src/platform/safe-message.ts'

type ObstacleTools = Pick<App, 'ledger' | 'log'>

/** Shorter pauses of a gate end before anyone could read about them. */
const minPauseMs = 2_000
const maxDetailLength = 500

/**
 * Records the error with which `work` rejects, and rethrows it. Successful work removes the note
 * (src/ledger/workers/obstacles.ts).
 */
export async function withObstacleNotes<Result>(
  tools: ObstacleTools,
  subject: string,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work
  } catch (error) {
    // An unavailable ledger cannot store the note; processes that query the ledger notice the outage themselves.
    await noteObstacle(tools, subject, error).catch((fault) =>
      tools.log.event('fault', { where: 'obstacle', error: faultName(fault) }),
    )
    throw error
  }
}

function noteObstacle({ ledger }: Pick<ObstacleTools, 'ledger'>, subject: string, error: unknown): Promise<void> {
  const detail = safeMessage(error).slice(0, maxDetailLength)
  return ledger.obstacles.note({ subject, detail, endsInMs: null, error: faultName(error) })
}

/** Records after each sweep whether it could queue work and which gates are paused. */
export async function noteSweep(app: App, failed: Error | null): Promise<void> {
  // If the queue store is unavailable, jobs that were queued earlier cannot run either.
  const isUnavailable = failed === null && !app.exclusive && (await app.queues.storeId()) === null
  const trouble = failed ?? (isUnavailable ? new QueueUnreachableError('read its id', 'no answer') : null)
  await (trouble ? noteObstacle(app, 'sweep', trouble) : app.ledger.obstacles.clear('sweep'))
  for (const [name, { pausedMs }] of Object.entries(app.gates.report()))
    if (pausedMs >= minPauseMs)
      await app.ledger.obstacles.note({ subject: `gate ${name}`, detail: `at ${name}`, endsInMs: pausedMs })
}

/**
 * Returns a function that records which loops of this worker make no progress, so that other processes can show it and
 * somebody is notified.
 */
export function noteStalledLoops(app: Pick<App, 'ledger' | 'log' | 'progress' | 'instance'>): () => Promise<void> {
  const subject = `worker ${app.instance.slice(0, 8)}`
  let isNoted = false
  return async () => {
    const stalled = app.progress.stalled().map(({ name }) => name)
    if (stalled.length > 0) {
      const detail = `these loops of worker ${app.instance.slice(0, 8)} make no progress: ${stalled.join(', ')}; restart it`
      await app.ledger.obstacles.note({ subject, detail, endsInMs: null })
    } else if (isNoted) await app.ledger.obstacles.clear(subject)
    isNoted = stalled.length > 0
  }
}
