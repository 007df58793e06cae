// Requests the addresses of watchdogs elsewhere, which raise the alarm when they are no longer requested: one for the
// worker, and one for the lists of each pipeline. Calls the addresses, and notes the last ping of a pipeline.

import type { App } from '#src/app/app.ts'
import { isSuccessStatus } from '#src/lms/http/success-status.ts'
import { parseDuration } from '#src/platform/time/duration.ts'

type HeartbeatTools = Pick<App, 'ledger' | 'notices' | 'wire' | 'clock' | 'log'>

const timeoutMs = 15_000
const suffixes = { taken: '/start', sent: '', failed: '/fail' }

/**
 * Returns a function that requests the worker's address when that is due, but only while the worker is ready.
 * @param isReady whether the worker could work now, and its loops make progress
 */
export function openHeartbeat(tools: HeartbeatTools, isReady: () => Promise<boolean>): () => Promise<void> {
  const { notices, clock } = tools
  let lastMs = Number.NEGATIVE_INFINITY
  return async () => {
    const { heartbeat } = notices
    if (!heartbeat || clock.monotonicMs() - lastMs < (parseDuration(heartbeat.every) ?? 0)) return
    if ((await isReady()) && (await ping(tools, heartbeat.url, ''))) lastMs = clock.monotonicMs()
  }
}

/** Reports where the newest list of each pipeline has got to. Does nothing if another worker is at it. */
export async function pingPipelines(tools: HeartbeatTools): Promise<void> {
  await tools.ledger.locks.withLock('heartbeats', () => pingWhatIsNew(tools), false)
}

async function pingWhatIsNew(tools: HeartbeatTools): Promise<void> {
  const { ledger, notices } = tools
  for (const { pipeline, url } of notices.pipelineHeartbeats) {
    const newest = await ledger.notices.newestList(pipeline)
    const last = await ledger.notices.lastPing(pipeline)
    if (newest && newest.run === last?.run && newest.phase === last.phase) continue
    // What happened before there was an address is not reported.
    if (!last) await ledger.notices.notePing(pipeline, newest ?? { run: null, phase: 'none' })
    else if (newest && (await ping(tools, url, suffixes[newest.phase], pipeline)))
      await ledger.notices.notePing(pipeline, newest)
  }
}

/** @returns whether the address answered with success */
async function ping(
  { wire, log }: HeartbeatTools,
  address: string,
  suffix: string,
  pipeline?: string,
): Promise<boolean> {
  const url = new URL(address)
  url.pathname = `${url.pathname.replace(/\/$/, '')}${suffix}`
  const answer = await wire.send({
    method: 'GET',
    url: url.href,
    headers: { 'user-agent': 'credsync' },
    deadlineMs: timeoutMs,
    ignoreBody: true,
  })
  const isAccepted = answer.kind === 'answer' && isSuccessStatus(answer.status)
  if (!isAccepted)
    log.event('heartbeat.failed', {
      ...(pipeline && { pipeline }),
      code: answer.kind === 'failed' ? answer.code : String(answer.status),
    })
  return isAccepted
}
