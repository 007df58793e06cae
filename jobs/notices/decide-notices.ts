// Decides from the ledger which notices begin, continue and end. Reads and writes the ledger.

import type { ExtensionTools } from '#jobs/extension-jobs.ts'
import { type Facts, factsOf } from '#src/extensions/notices/facts.ts'
import type { NoticeStep } from '#src/extensions/notices/ledger/notice-store.ts'
import { isWanted, noticeSteps } from '#src/extensions/notices/notice-steps.ts'
import { occasionsNow } from '#src/extensions/notices/occasions.ts'
import type { NoticeKind } from '#src/extensions/notices/settings/notify-settings.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { logFault } from './log-fault.ts'

type SummaryFacts = Extract<Facts, { about: 'summary' }>

export type NoticeTools = Pick<ExtensionTools, 'ledger' | 'notices' | 'log' | 'clock' | 'random'>

/** Called under the lock of the notices. Does nothing without `notify`. */
export async function decideNotices(tools: NoticeTools): Promise<void> {
  const { ledger, notices, log, clock } = tools
  const { settings, remindMs } = notices
  if (!settings) return
  const now = clock.now()
  const expectations = await watchExpectations(tools, now)
  const [summarizeFrom, refusedFrom] = [
    await wantedSince(tools, 'summary', now),
    await wantedSince(tools, 'refused', now),
  ]
  const summarizes = summarizeFrom !== null
  const countsChanges = notices.countsChanges(now)
  if (countsChanges) await logFault(tools, 'mark past changes', ledger.notices.markPastChanges())
  const readings = await ledger.notices.readings({
    ...{ summarizeFrom, refusedFrom, countsChanges },
    ...{ pipelines: notices.pipelines, inboxes: notices.inboxes, targets: notices.targets },
    recipients: Object.keys(settings.to),
    expecting: expectations.map(({ pipeline, expectation, completions }) => ({
      ...{ pipeline, completions },
      from: expectation.from(now),
    })),
    now,
  })
  for (const { reading, error } of readings.unread)
    if (error !== null) log.event('fault', { where: `read ${reading} for notices`, error: faultName(error) })
  const open = await ledger.notices.open()
  const { pipelines } = notices
  const occasions = occasionsNow({ readings, open, expectations, pipelines, settings, summarizes, now })
  const steps = noticeSteps(open, occasions, { to: settings.to, remindMs, now })
  await ledger.notices.apply(await withFaults(tools, steps), now)
  for (const step of steps) {
    if (step.do === 'open' || step.do === 'note')
      log.event('notice.opened', { label: step.kind, ...(step.pipeline && { pipeline: step.pipeline }) })
    if (step.do === 'recover') log.event('notice.recovered', { label: step.key.split(' ')[0] ?? '' })
    if (step.do === 'withdraw') log.event('notice.withdrawn', { label: step.key.split(' ')[0] ?? '' })
  }
}

/**
 * Returns since when somebody has wanted to know of this kind; null if nobody does, which is recorded, so that the time
 * begins anew.
 */
async function wantedSince({ ledger, notices }: NoticeTools, kind: NoticeKind, now: Date): Promise<Date | null> {
  const isNow = isWanted(notices.settings?.to ?? {}, kind)
  const since = await ledger.notices.watchedSince(`notify ${kind}`, isNow ? '' : 'none', now)
  return isNow ? since : null
}

async function watchExpectations({ ledger, notices }: NoticeTools, now: Date) {
  const watched = []
  // Otherwise an expectation that is set again would look as if it had never been removed.
  for (const pipeline of notices.pipelines)
    if (!notices.expecting.some((expecting) => expecting.pipeline === pipeline))
      await ledger.notices.watchedSince(`list ${pipeline}`, '', now)
  for (const { terms, ...expecting } of notices.expecting) {
    const since = await ledger.notices.watchedSince(`list ${expecting.pipeline}`, terms, now)
    watched.push({ ...expecting, since })
  }
  return watched
}

/**
 * Adds to summaries which rules their invalid rows break. Lists are read one after the other, because each may be
 * large. If a list cannot be read, its summary is sent without the rules, which is better than no summary.
 */
async function withFaults(tools: NoticeTools, steps: readonly NoticeStep[]): Promise<NoticeStep[]> {
  const faultsOf = new Map<string, SummaryFacts['faults']>()
  const read = async (run: string) => {
    faultsOf.set(run, [])
    const found = await tools.ledger.violations.byKind(run)
    // Leaves out the value, which comes from the first of the rows.
    const faults = found.map(({ value: _, ...fault }) => fault)
    faultsOf.set(run, faults)
  }
  const complete: NoticeStep[] = []
  for (const step of steps) {
    const facts = factsOf(step)
    if (facts.about === 'summary' && facts.invalid > 0) {
      // A list that is finished when it is first seen has two steps.
      if (!faultsOf.has(facts.run)) await logFault(tools, 'read invalid rows', read(facts.run))
      complete.push({ ...step, facts: { ...facts, faults: faultsOf.get(facts.run) ?? [] } })
    } else complete.push(step)
  }
  return complete
}
