// The loops of the notices, and the step that composes messages. The loops have timers and connections of their own and
// use no queue, so that they neither slow down issuing nor fail together with what they have to report. A loop that has
// to wait does not delay the others.

import { noteStalledLoops } from '#jobs/note-obstacles.ts'
import type { App } from '#src/app/app.ts'
import { composeMessage, sortChanges } from '#src/extensions/notices/compose-message.ts'
import { within } from '#src/platform/time/deadline.ts'
import { openHealth } from '#src/web/health.ts'
import { decideNotices, type NoticeTools } from './decide-notices.ts'
import { logFault } from './log-fault.ts'
import { openOutageReport } from './report-outage.ts'
import { openHeartbeat } from './request-heartbeat.ts'
import { openMessageSender } from './send-messages.ts'
import { tidyNotices } from './tidy-notices.ts'

export interface NoticeLoop {
  stop(): Promise<void>
}

/** How long stopping waits for messages that are being sent. One whose delivery is not noted is sent once more. */
const drainMs = 5_000
const tidyMs = 3_600_000
/** How often past changes of rows are marked where no notices count them. */
const changesMs = 60_000
/** PostgreSQL cancels a statement after five minutes, so what takes longer has lost its connection. */
const stepMs = 330_000

/** Decides what to report, and composes the messages. Does nothing while another worker is doing so. */
export async function decisionRound(tools: NoticeTools): Promise<void> {
  const work = async () => {
    await logFault(tools, 'decide notices', decideNotices(tools))
    await composeMessages(tools)
  }
  await tools.ledger.locks.withLock('notices', work, false)
}

/**
 * @param tidies whether old notices and the data of removed recipients are deleted, and past changes of rows are marked
 * even without `notify`
 * @returns null if there is nothing to do
 */
export function startNoticeLoop(app: App, tidies: boolean): NoticeLoop | null {
  const { settings, heartbeat } = app.notices
  const isConfigured = settings !== null || heartbeat !== null
  if (!isConfigured && !tidies) return null
  const controller = new AbortController()
  const { signal } = controller
  const sender = openMessageSender(app, signal)
  const outage = openOutageReport(app)
  const health = openHealth(app)
  const beat = openHeartbeat(app, async () => (await health.ready()).ready)
  const noteStalled = noteStalledLoops(app)
  const step = (where: string, work: Promise<unknown>) => logFault(app, where, within(app.clock, stepMs, work))
  /**
   * Has a time limit, because a frozen PostgreSQL never answers. A PostgreSQL that accepts no writes does not work
   * either.
   */
  const databaseWorks = async () => (await health.stores()).database
  const loops = [
    async () => {
      if (await databaseWorks()) await step('report outage', outage.answered())
      else await outage.failed(signal)
    },
    async () => {
      if (!(await databaseWorks())) return
      await step('stalled loops', noteStalled())
      await step('compose messages', decisionRound(app))
      await step('send messages', sender.round())
    },
    () => step('heartbeat', beat()),
  ]
  async function repeat(round: () => Promise<unknown>, everyMs: number) {
    while (!signal.aborted) {
      await logFault(app, 'notices', round())
      await app.clock.sleep(everyMs, signal).catch(() => {})
    }
  }
  const tidy = async () => {
    if (tidies && (await databaseWorks())) await step('tidy notices', tidyNotices(app))
  }
  // With `notify`, they are marked before they are counted. Without it, the console still counts them.
  const markChanges = async () => {
    if (!tidies || settings || !(await databaseWorks())) return
    const { locks, notices } = app.ledger
    await step(
      'mark past changes',
      locks.withLockAfter('notices', () => notices.markPastChanges()),
    )
  }
  const looping = Promise.all([
    ...(isConfigured ? loops : []).map((round) => repeat(round, app.tuning.noticeMs)),
    repeat(tidy, tidyMs),
    repeat(markChanges, changesMs),
  ]).then(sender.idle)
  return {
    async stop() {
      controller.abort()
      const timer = new AbortController()
      await Promise.race([looping, app.clock.sleep(drainMs, timer.signal).catch(() => {})])
      timer.abort()
    },
  }
}

/** Notices that begin at about the same time share one message, and a notice that ends within this time gets none. */
const settleMs = 30_000

/**
 * Composes a message for each recipient for whom something waits, except those whose last message was a short while
 * ago. Called under the lock of the notices.
 */
async function composeMessages(tools: NoticeTools): Promise<void> {
  const { ledger, notices, clock } = tools
  const { groupMs, recipients } = notices
  const now = clock.now()
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  const names = recipients.map(({ name }) => name)
  const times = { since: inMs(-Math.min(settleMs, groupMs)), lastBefore: inMs(-groupMs), latest: inMs(groupMs) }
  const due = await ledger.notices.toCompose(names, times)
  for (const recipient of recipients.filter(({ name }) => due.includes(name)))
    await logFault(tools, 'compose messages', composeFor(tools, recipient, now))
}

async function composeFor(
  { ledger, notices }: NoticeTools,
  { name, channel }: NoticeTools['notices']['recipients'][number],
  now: Date,
): Promise<void> {
  const changes = await ledger.notices.changesFor(name)
  const { environment } = ledger
  const words = channel.trim(composeMessage(changes, { environment, now, link: notices.settings?.console ?? null }))
  // What does not fit waits for the next message.
  const told = sortChanges(changes).slice(0, words.sections.length)
  const ids = told.flatMap((change) => change.ids)
  await ledger.notices.makeMessage(name, ids, words, now)
}
