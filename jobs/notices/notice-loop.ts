// The loops of the notices. They have timers and connections of their own and use no queue, so that they neither slow
// down issuing nor fail with what they have to report. What one of them waits for does not delay the others.

import { noteStalledLoops } from '#jobs/note-obstacles.ts'
import type { App } from '#src/app/app.ts'
import { within } from '#src/platform/time/deadline.ts'
import { openHealth } from '#src/web/health.ts'
import { decideNotices, type NoticeTools } from './decide-notices.ts'
import { logFault } from './log-fault.ts'
import { openHeartbeat, pingPipelines } from './ping-heartbeats.ts'
import { openOutageReport } from './report-outage.ts'
import { openMessageSender } from './send-messages.ts'
import { wordMessages } from './word-messages.ts'

export interface NoticeLoop {
  stop(): Promise<void>
}

/** How long stopping waits for messages that are being sent. One whose delivery is not noted is sent once more. */
const drainMs = 5_000
/** PostgreSQL cancels a statement after five minutes, so what takes longer has lost its connection. */
const stepMs = 330_000

/** Decides what is to be said, and words it. Does nothing if another worker is at it. */
export async function decisionRound(tools: NoticeTools): Promise<void> {
  const work = async () => {
    await logFault(tools, 'decide notices', decideNotices(tools))
    await wordMessages(tools)
  }
  await tools.ledger.locks.withLock('notices', work, false)
}

/** @returns null if the configuration has nobody to notify */
export function startNoticeLoop(app: App): NoticeLoop | null {
  const { settings, heartbeat, pipelineHeartbeats } = app.notices
  if (!settings && !heartbeat && pipelineHeartbeats.length === 0) return null
  const controller = new AbortController()
  const { signal } = controller
  const sender = openMessageSender(app, signal)
  const outage = openOutageReport(app)
  const health = openHealth(app)
  const beat = openHeartbeat(app, async () => (await health.ready()).ready)
  const noteStalled = noteStalledLoops(app)
  const step = (where: string, work: Promise<unknown>) => logFault(app, where, within(app.clock, stepMs, work))
  /** It has a time limit: a frozen PostgreSQL never answers. One that answers but accepts no writes does not work. */
  const databaseWorks = async () => (await health.stores()).database
  const loops = [
    async () => {
      if (await databaseWorks()) await step('report outage', outage.answered())
      else await outage.failed(signal)
    },
    async () => {
      if (!(await databaseWorks())) return
      await step('stalled loops', noteStalled())
      await step('word messages', decisionRound(app))
      await step('send messages', sender.round())
    },
    async () => {
      if (await databaseWorks()) await step('list heartbeats', pingPipelines(app))
    },
    () => step('heartbeat', beat()),
  ]
  async function repeat(round: () => Promise<unknown>) {
    while (!signal.aborted) {
      await logFault(app, 'notices', round())
      await app.clock.sleep(app.tuning.noticeMs, signal).catch(() => {})
    }
  }
  const looping = Promise.all(loops.map(repeat)).then(sender.idle)
  return {
    async stop() {
      controller.abort()
      const timer = new AbortController()
      await Promise.race([looping, app.clock.sleep(drainMs, timer.signal).catch(() => {})])
      timer.abort()
    },
  }
}
