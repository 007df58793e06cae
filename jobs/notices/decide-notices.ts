// Decides from the ledger which notices begin, last and end, and words a message for each recipient. Reads and writes
// the ledger.

import type { Tools } from '#jobs/job-tools.ts'
import type { NoticeStep } from '#src/ledger/notices/notices.ts'
import { factsOf } from '#src/notices/facts.ts'
import { isWanted, noticeSteps } from '#src/notices/notice-steps.ts'
import { occasionsNow } from '#src/notices/occasions.ts'
import { wordMessage } from '#src/notices/word-message.ts'

export type NoticeTools = Pick<Tools, 'ledger' | 'notices' | 'log' | 'clock' | 'random'>

/** What begins at about the same time is one message, and what ends within this time is none. */
const settleMs = 30_000

/** Called under the lock of the notices. Does nothing without `notify`. */
export async function decideNotices(tools: NoticeTools): Promise<void> {
  const { ledger, notices, log, clock } = tools
  const { settings, remindMs } = notices
  if (!settings) return
  const now = clock.now()
  const expectations = await watchExpectations(tools, now)
  const summarizes = isWanted(settings.to, 'summary')
  const readings = await ledger.notices.readings({
    summarizeFrom: summarizes ? await ledger.notices.watchedSince('notify', '', now) : null,
    countsChanges: notices.countsChanges(now),
    ...{ pipelines: notices.pipelines, inboxes: notices.inboxes, recipients: Object.keys(settings.to) },
    expecting: expectations.map(({ pipeline, expectation, completions }) => ({
      ...{ pipeline, completions },
      from: expectation.from(now),
    })),
    now,
  })
  const open = await ledger.notices.open()
  const { pipelines } = notices
  const occasions = occasionsNow({ readings, open, expectations, pipelines, settings, summarizes, now })
  const steps = noticeSteps(open, occasions, { to: settings.to, remindMs, now })
  await ledger.notices.apply(await Promise.all(steps.map((step) => withFaults(tools, step))), now)
  for (const step of steps) {
    if (step.do === 'open')
      log.event('notice.opened', { label: step.kind, ...(step.pipeline && { pipeline: step.pipeline }) })
    if (step.do === 'recover') log.event('notice.recovered', { label: step.key.split(' ')[0] ?? '' })
    if (step.do === 'withdraw') log.event('notice.withdrawn', { label: step.key.split(' ')[0] ?? '' })
  }
}

async function watchExpectations({ ledger, notices }: NoticeTools, now: Date) {
  const watched = []
  // So that an expectation that is made again is not taken for one that was there all the time.
  for (const pipeline of notices.pipelines)
    if (!notices.expecting.some((expecting) => expecting.pipeline === pipeline))
      await ledger.notices.watchedSince(`list ${pipeline}`, '', now)
  for (const { terms, ...expecting } of notices.expecting) {
    const since = await ledger.notices.watchedSince(`list ${expecting.pipeline}`, terms, now)
    watched.push({ ...expecting, since })
  }
  return watched
}

/** Adds to a summary which rules its invalid rows break. */
async function withFaults({ ledger }: NoticeTools, step: NoticeStep): Promise<NoticeStep> {
  const facts = factsOf(step)
  if (facts.about !== 'summary' || facts.invalid === 0) return step
  // Without the value in the first of the rows.
  const faults = (await ledger.violations.byKind(facts.run)).map(({ value: _, ...fault }) => fault)
  return { ...step, facts: { ...facts, faults } }
}

/** Words a message for each recipient for whom something waits, unless their last message was a short while ago. */
export async function wordMessages({ ledger, notices, clock }: NoticeTools): Promise<void> {
  const { settings, groupMs, recipients } = notices
  if (!settings) return
  const now = clock.now()
  const earlier = (ms: number) => new Date(now.getTime() - ms)
  const names = recipients.map(({ name }) => name)
  const times = { since: earlier(Math.min(settleMs, groupMs)), lastBefore: earlier(groupMs) }
  for (const recipient of await ledger.notices.toWord(names, times)) {
    const changes = await ledger.notices.changesFor(recipient)
    const words = wordMessage(changes, {
      ...{ environment: ledger.environment, now },
      link: settings.console ?? null,
    })
    const ids = changes.map(({ id }) => id)
    await ledger.notices.makeMessage(recipient, ids, words, now)
  }
}
