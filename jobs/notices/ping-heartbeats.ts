// Requests the addresses of watchdogs elsewhere, which raise the alarm when they are no longer requested: one for the
// worker, and one for the lists of each pipeline. Calls the addresses, and notes the last ping of a pipeline.

import type { App } from '#src/app/app.ts'
import { isSuccessStatus } from '#src/lms/http/success-status.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { openPause, type Pause } from './request-pause.ts'

type HeartbeatTools = Pick<App, 'ledger' | 'notices' | 'wire' | 'clock' | 'log'>

const timeoutMs = 15_000
/** After a failure. A watchdog that was away for a moment should not raise the alarm for that. */
const firstPauseMs = 15_000
const maxPauseMs = 900_000
const suffixes = { taken: '/start', sent: '', failed: '/fail' }

/**
 * Returns a function that requests the worker's address when that is due, but only while the worker is ready.
 * @param isReady whether the worker could work now, and its loops make progress
 */
export function openHeartbeat(tools: HeartbeatTools, isReady: () => Promise<boolean>): () => Promise<void> {
  const { heartbeat } = tools.notices
  const everyMs = parseDuration(heartbeat?.every ?? '') ?? 0
  const pause = openPause(tools.clock, Math.min(firstPauseMs, everyMs), everyMs)
  return async () => {
    if (!heartbeat || pause.lasts() || !(await isReady())) return
    if (await ping(tools, heartbeat.url, '')) pause.begin(everyMs)
    else pause.afterFailure()
  }
}

/**
 * Returns a function that reports where the newest list of each pipeline has got to. It does nothing if another worker
 * is at it. The addresses are requested at the same time, so that one that does not answer delays no other.
 */
export function openListPings(tools: HeartbeatTools): () => Promise<void> {
  const { ledger, notices, clock } = tools
  /** What was requested in vain, with the pause until the next try. */
  const failed = new Map<string, { what: string; pause: Pause }>()

  async function pingWhatIsNew() {
    const due = []
    for (const { pipeline, url } of notices.pipelineHeartbeats) {
      const newest = await ledger.notices.newestList(pipeline)
      const last = await ledger.notices.lastPing(pipeline)
      if (newest && newest.run === last?.run && newest.phase === last.phase) continue
      // What happened before there was an address is not reported.
      if (!last) await ledger.notices.notePing(pipeline, newest ?? { run: null, phase: 'none' })
      else if (newest) due.push({ pipeline, url, newest })
    }
    await Promise.all(due.map(report))
  }
  async function report({ pipeline, url, newest }: { pipeline: string; url: string; newest: NewestList }) {
    const what = `${newest.run} ${newest.phase}`
    const before = failed.get(pipeline)
    // What is new is reported at once, even if what was before it could not be.
    const pause = before?.what === what ? before.pause : openPause(clock, firstPauseMs, maxPauseMs)
    if (pause.lasts()) return
    if (await ping(tools, url, suffixes[newest.phase], pipeline)) {
      failed.delete(pipeline)
      await ledger.notices.notePing(pipeline, newest)
    } else {
      pause.afterFailure()
      failed.set(pipeline, { what, pause })
    }
  }
  return async () => void (await ledger.locks.withLock('heartbeats', pingWhatIsNew, false))
}

type NewestList = NonNullable<Awaited<ReturnType<HeartbeatTools['ledger']['notices']['newestList']>>>

/** @returns whether the address answered with success */
async function ping(
  { wire, log }: HeartbeatTools,
  address: string,
  suffix: string,
  pipeline?: string,
): Promise<boolean> {
  const url = new URL(address)
  if (suffix !== '') url.pathname = `${url.pathname.replace(/\/$/, '')}${suffix}`
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
