// Requests the address of an external watchdog, which raises an alarm when the requests stop.

import type { App } from '#src/app/app.ts'
import { isSuccessStatus } from '#src/platform/retry-after.ts'
import { parseDuration } from '#src/platform/time/duration.ts'
import { openPause } from './pause-after-failure.ts'

type HeartbeatTools = Pick<App, 'notices' | 'wire' | 'clock' | 'log'>

const timeoutMs = 15_000
/** After a failure. A watchdog that was unavailable for a moment should not raise an alarm because of that. */
const firstPauseMs = 15_000

/**
 * Returns a function that requests the address when that is due, but only while the worker is ready.
 * @param isReady whether the worker could work now, and its loops make progress
 */
export function openHeartbeat(tools: HeartbeatTools, isReady: () => Promise<boolean>): () => Promise<void> {
  const { heartbeat } = tools.notices
  const everyMs = parseDuration(heartbeat?.every ?? '') ?? 0
  const pause = openPause(tools.clock, Math.min(firstPauseMs, everyMs), everyMs)
  return async () => {
    if (!heartbeat || pause.lasts() || !(await isReady())) return
    if (await request(tools, heartbeat.url)) pause.begin(everyMs)
    else pause.afterFailure()
  }
}

/** @returns whether the address answered with success */
async function request({ wire, log }: HeartbeatTools, url: string): Promise<boolean> {
  const answer = await wire.send({
    method: 'GET',
    url,
    headers: { 'user-agent': 'credsync' },
    deadlineMs: timeoutMs,
    ignoreBody: true,
  })
  const isAccepted = answer.kind === 'answer' && isSuccessStatus(answer.status)
  if (!isAccepted)
    log.event('heartbeat.failed', { code: answer.kind === 'failed' ? answer.code : String(answer.status) })
  return isAccepted
}
