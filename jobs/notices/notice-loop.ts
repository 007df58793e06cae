// The loop of the notices. It has a timer and a connection of its own and uses no queue, so that it neither slows down
// issuing nor fails with what it has to report.

import { noteStalledLoops } from '#jobs/note-obstacles.ts'
import type { App } from '#src/app/app.ts'
import { DatabaseUnreachableError } from '#src/platform/database/database.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { openHealth } from '#src/web/health.ts'
import { decideNotices, wordMessages } from './decide-notices.ts'
import { openHeartbeat, pingPipelines } from './ping-heartbeats.ts'
import { openOutageReport } from './report-outage.ts'
import { sendMessages } from './send-messages.ts'

export interface NoticeLoop {
  stop(): Promise<void>
}

/** How long stopping waits for messages that are being sent. One whose delivery is not noted is sent once more. */
const drainMs = 5_000

/** One round: what is to be said is decided, and sent. Does nothing if another worker is at it. */
export async function noticeRound(app: App, signal: AbortSignal): Promise<void> {
  await app.ledger.locks.withLock(
    'notices',
    async () => {
      await decideNotices(app)
      await wordMessages(app)
      await sendMessages(app, signal)
      await pingPipelines(app)
    },
    false,
  )
}

/** @returns null if the configuration has nobody to notify */
export function startNoticeLoop(app: App): NoticeLoop | null {
  const { settings, heartbeat, pipelineHeartbeats } = app.notices
  if (!settings && !heartbeat && pipelineHeartbeats.length === 0) return null
  const controller = new AbortController()
  const { signal } = controller
  const outage = openOutageReport(app)
  const health = openHealth(app)
  const beat = openHeartbeat(app, async () => (await health.ready()).ready)
  const noteStalled = noteStalledLoops(app)
  const logFault = (error: Error) => app.log.event('fault', { where: 'notices', error: faultName(error) })
  async function round() {
    try {
      await noteStalled()
      await noticeRound(app, signal)
      await outage.answered()
    } catch (error) {
      logFault(error as Error)
      if (error instanceof DatabaseUnreachableError) await outage.failed(signal)
    }
  }
  async function loop() {
    while (!signal.aborted) {
      await Promise.all([round().catch(logFault), beat().catch(logFault)])
      await app.clock.sleep(app.tuning.noticeMs, signal).catch(() => {})
    }
  }
  const looping = loop()
  return {
    async stop() {
      controller.abort()
      const timer = new AbortController()
      await Promise.race([looping, app.clock.sleep(drainMs, timer.signal).catch(() => {})])
      timer.abort()
    },
  }
}
