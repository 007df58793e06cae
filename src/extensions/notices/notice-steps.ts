// Decides what changes for the notices: which open, which recipients are reminded of, which newly configured ones read
// of them, which say something else, and which end. Pure.

import { isDeepStrictEqual } from 'node:util'
import type { NoticeStep, OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import type { NotifySettings, RecipientSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { factsOf, type Occasion } from './facts.ts'

/**
 * Compares the open notices with what is the case now.
 * @param remindMs how often recipients are reminded of what lasts
 */
export function noticeSteps(
  open: readonly OpenNotice[],
  occasions: readonly Occasion[],
  { to, remindMs, now }: { to: NotifySettings['to']; remindMs: number; now: Date },
): NoticeStep[] {
  const openByKey = new Map(open.map((notice) => [notice.key, notice]))
  const current = new Set(occasions.map(({ key }) => key))
  const steps: NoticeStep[] = []
  for (const occasion of occasions) {
    const { key, kind, pipeline, since, facts, isFinal, once, isNews, isUnsure, withdrawn } = occasion
    const recipients = recipientsOf(to, occasion)
    const notice = openByKey.get(key)
    if (once) steps.push({ do: 'note', key, kind, pipeline, since, facts, recipients, ...once })
    else if (withdrawn !== undefined) {
      const facts = { ...notice?.facts, withdrawn }
      if (notice) steps.push({ do: 'withdraw', key, facts, recipients: readersOfEnd(to, occasion) })
    } else {
      if (!notice && !isUnsure) steps.push({ do: 'open', key, kind, pipeline, since, facts, recipients })
      if (isFinal) steps.push({ do: 'recover', key, facts, recipients, always: true })
      else if (notice && kind !== 'summary') {
        // A reminder in the future was made when the clock was ahead.
        const isDue = isNews || Math.abs(now.getTime() - notice.remindedAt.getTime()) >= remindMs
        const newcomers = isUnsure ? [] : recipients.filter((name) => !notice.readers.includes(name))
        if (isDue && !isUnsure) steps.push({ do: 'remind', key, facts, recipients })
        else if (newcomers.length > 0) steps.push({ do: 'notify', key, facts, recipients: newcomers })
        else if (!isNews && !isDeepStrictEqual(notice.facts, facts)) steps.push({ do: 'restate', key, facts })
      }
    }
  }
  for (const notice of open) {
    const { key, facts } = notice
    const occasion = { ...notice, kind: notice.kind as Occasion['kind'], facts: factsOf(notice) }
    if (!current.has(key))
      steps.push({ do: 'recover', key, facts, recipients: readersOfEnd(to, occasion), always: false })
  }
  return steps
}

/**
 * Of these recipients, those who have read that it was open read of its end, even if its kind or pipeline is not theirs
 * any more. Nobody waits for the end of a summary.
 */
function readersOfEnd(to: NotifySettings['to'], occasion: Pick<Occasion, 'kind' | 'pipeline' | 'facts'>): string[] {
  return occasion.kind === 'summary' ? recipientsOf(to, occasion) : Object.keys(to)
}

/**
 * The names of those who are notified. If messages to a recipient fail, the others are notified: those who want to know
 * of what is away, or, if nobody does, all of them.
 */
export function recipientsOf(
  to: NotifySettings['to'],
  { kind, pipeline, facts }: Pick<Occasion, 'kind' | 'pipeline' | 'facts'>,
): string[] {
  const failing = facts.about === 'recipient' ? facts.recipient : null
  const others = Object.entries(to).filter(([name]) => name !== failing)
  const interested = others.filter(([, recipient]) => wants(recipient, kind, pipeline))
  return (failing !== null && interested.length === 0 ? others : interested).map(([name]) => name)
}

function wants(recipient: RecipientSettings, kind: Occasion['kind'], pipeline: string | null): boolean {
  const { on, pipelines } = recipient
  const isOfPipeline = pipeline === null || !pipelines || pipelines.includes(pipeline)
  return isOfPipeline && (on.includes('all') || on.includes(kind))
}

/** Returns whether some recipient is notified of this kind of notice about a pipeline, or about none in particular. */
export function isWanted(to: NotifySettings['to'], kind: Occasion['kind'], pipeline: string | null = null): boolean {
  return Object.values(to).some((recipient) => wants(recipient, kind, pipeline))
}
