// Requests the addresses of external watchdogs, which raise an alarm when the requests stop: one for the worker, and
// one for the lists of each pipeline. Calls the addresses, and records the last ping about each list.

import type { App } from '#src/app/app.ts'
import { isSuccessStatus } from '#src/platform/retry-after.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { logFault, openPause, type Pause } from './after-failure.ts'

type HeartbeatTools = Pick<App, 'ledger' | 'notices' | 'wire' | 'clock' | 'log'>

const timeoutMs = 15_000
/** After a failure. A watchdog that was unavailable for a moment should not raise an alarm because of that. */
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
 * Returns a function that reports how far each list of a pipeline has got, in the order in which the lists arrived. It
 * does nothing while another worker is doing so. The pipelines are reported at the same time, so that an address that
 * does not answer delays no other.
 */
export function openListPings(tools: HeartbeatTools): () => Promise<void> {
  const { ledger, notices, clock } = tools
  /** Of addresses that did not answer, until they are tried again. */
  const pauses = new Map<string, Pause>()

  async function report({ pipeline, url }: { pipeline: string; url: string }) {
    // What happened before there was an address is not reported.
    const since = await ledger.notices.watchedSince(`heartbeat ${pipeline}`, '', clock.now())
    const pause = pauses.get(pipeline) ?? openPause(clock, firstPauseMs, maxPauseMs)
    if (pause.lasts()) return
    pauses.delete(pipeline)
    for (const list of await ledger.notices.listsToPing(pipeline, since)) {
      if (!(await ping(tools, url, suffixes[list.phase], pipeline))) {
        pause.afterFailure()
        pauses.set(pipeline, pause)
        return
      }
      await ledger.notices.notePing(list)
    }
  }
  const reportAll = () =>
    Promise.all(notices.pipelineHeartbeats.map((each) => logFault(tools, 'list heartbeats', report(each))))
  return async () => void (await ledger.locks.withLock('heartbeats', reportAll, false))
}

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
