// The twin in memory of the ledger's notices: the same verbs and results without a database, as plainly as they can be
// written. notices-twin.test.ts compares the two. A round does not need it: what it decides from is in other tables.

import type { Horizon, RecipientStatus, WaitingNoticeChange } from '#src/extensions/notices/ledger/notice-messages.ts'
import type { FailingRecipient } from '#src/extensions/notices/ledger/notice-readings.ts'
import type { NoticeStep, OpenNotice } from '#src/extensions/notices/ledger/notice-store.ts'

interface NoticeRecord extends Omit<OpenNotice, 'readers'> {
  recoveredAt: Date | null
}

interface MessageRecord {
  id: string
  recipient: string
  words: object
  createdAt: Date
  dueAt: Date
  tries: number
  problem: string | null
  failingSince: Date | null
  isShort: boolean
  deliveredAt: Date | null
  givenUpAt: Date | null
}

interface ChangeRecord extends Pick<WaitingNoticeChange, 'id' | 'change' | 'facts' | 'at'> {
  notice: NoticeRecord
  recipient: string
  message: MessageRecord | null
}

const changeOf = {
  open: 'opened',
  note: 'opened',
  notify: 'opened',
  remind: 'reminded',
  recover: 'recovered',
  withdraw: 'withdrawn',
} as const
const hourMs = 3_600_000

export type MemoryNotices = ReturnType<typeof openMemoryNotices>

export function openMemoryNotices() {
  let notices: NoticeRecord[] = []
  let changes: ChangeRecord[] = []
  let messages: MessageRecord[] = []
  const noted = new Set<string>()
  let ids = 0
  const openOf = (key: string) => notices.find((notice) => notice.key === key && !notice.recoveredAt)
  const isPending = ({ deliveredAt, givenUpAt }: MessageRecord) => !deliveredAt && !givenUpAt
  const pendingOf = (recipient: string) => messages.find((each) => each.recipient === recipient && isPending(each))
  const isDue = ({ dueAt }: MessageRecord, { now, latest }: Horizon) => dueAt <= now || dueAt > latest
  const unreadOf = (notice: NoticeRecord) => changes.filter((each) => each.notice === notice && !each.message)
  /** The newest first. */
  const messagesTo = (recipient: string) =>
    messages
      .filter((each) => each.recipient === recipient)
      .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
  const failingSince = (message: MessageRecord, now: Date) => {
    const before = messagesTo(message.recipient).find(({ createdAt }) => createdAt < message.createdAt)
    const since = message.failingSince ?? before?.failingSince ?? now
    return since < now ? since : now
  }
  const note = (id: string, change: (message: MessageRecord) => Partial<MessageRecord>) => {
    const message = messages.find((each) => each.id === id)
    return message && isPending(message) ? Object.assign(message, change(message)) : null
  }

  function open({ key, facts, ...step }: NoticeStep & { do: 'open' }, now: Date): NoticeRecord | null {
    const ended = notices.some((each) => each.key === key && each.recoveredAt && each.recoveredAt >= step.since)
    if (openOf(key) || (step.once && ended)) return null
    const { kind, pipeline, since } = step
    const notice = {
      ...{ id: ++ids, key, kind, pipeline, facts, since },
      openedAt: now,
      remindedAt: now,
      recoveredAt: null,
    }
    notices.push(notice)
    return notice
  }
  function noteOnce({ run, key, kind, pipeline, since, facts }: NoticeStep & { do: 'note' }, now: Date) {
    if (noted.has(run)) return null
    noted.add(run)
    const times = { since, openedAt: now, remindedAt: now, recoveredAt: now }
    const notice = { ...{ id: ++ids, key, kind, pipeline, facts }, ...times }
    notices.push(notice)
    return notice
  }
  function changeOpen(step: NoticeStep, now: Date): NoticeRecord | null {
    const notice = openOf(step.key)
    if (!notice || (step.do === 'remind' && notice.remindedAt.getTime() === now.getTime())) return null
    notice.facts = step.facts
    if (step.do === 'remind') notice.remindedAt = now
    else if (step.do !== 'restate' && step.do !== 'notify') notice.recoveredAt = now
    return notice
  }
  function applyStep(step: NoticeStep, now: Date): void {
    const notice =
      step.do === 'open' ? open(step, now) : step.do === 'note' ? noteOnce(step, now) : changeOpen(step, now)
    if (!notice) return
    if (step.do === 'restate' || step.do === 'notify') for (const unread of unreadOf(notice)) unread.facts = step.facts
    if (step.do === 'restate') return
    const ends = step.do === 'recover' || step.do === 'withdraw'
    if (ends) changes = changes.filter((each) => each.notice !== notice || each.message)
    const toAll = !ends || (step.do === 'recover' && step.always)
    for (const recipient of step.recipients) {
      const own = changes.filter((each) => each.notice === notice && each.recipient === recipient)
      const unread = own.find(({ message }) => !message)
      const isReader = own.some(({ message }) => message && !message.givenUpAt)
      if (step.do === 'notify' && own.length > 0) continue
      if (unread) unread.facts = step.facts
      else if (toAll || isReader)
        changes.push({
          ...{ id: ++ids, notice, recipient, change: changeOf[step.do], facts: step.facts, at: now, message: null },
        })
    }
  }
  const changesFor = (recipient: string): WaitingNoticeChange[] =>
    changes
      .filter((each) => each.recipient === recipient && !each.message)
      .sort((a, b) => a.at.getTime() - b.at.getTime() || a.id - b.id)
      .map(({ id, notice: { key, kind, pipeline, since }, change, facts, at }) => ({
        ...{ id, key, kind, pipeline, change, facts, since, at },
      }))

  return {
    open: () =>
      notices
        .filter(({ recoveredAt }) => !recoveredAt)
        .sort((a, b) => a.openedAt.getTime() - b.openedAt.getTime() || a.id - b.id)
        .map(({ recoveredAt: _, ...notice }) => {
          const own = changes.filter((each) => each.notice.id === notice.id)
          return { ...notice, readers: [...new Set(own.map(({ recipient }) => recipient))].sort() }
        }),
    apply(steps: readonly NoticeStep[], now: Date) {
      for (const step of steps.toSorted((a, b) => (a.key === b.key ? 0 : a.key < b.key ? -1 : 1))) applyStep(step, now)
    },
    toCompose: (recipients: readonly string[], times: { since: Date; lastBefore: Date; latest: Date }) =>
      recipients.filter(
        (recipient) =>
          changesFor(recipient).some(({ at }) => at <= times.since || at > times.latest) &&
          !pendingOf(recipient) &&
          !messagesTo(recipient).some(({ createdAt }) => createdAt > times.lastBefore && createdAt <= times.latest),
      ),
    changesFor,
    makeMessage(recipient: string, about: readonly number[], words: object, now: Date) {
      const found = changes.filter(({ id, message }) => about.includes(id) && !message)
      if (found.length === 0 || found.length < about.length || pendingOf(recipient)) return
      const message: MessageRecord = {
        ...{ id: `message ${++ids}`, recipient, words, createdAt: now, dueAt: now, tries: 0, problem: null },
        ...{ failingSince: null, isShort: false, deliveredAt: null, givenUpAt: null },
      }
      messages.push(message)
      for (const change of found) change.message = message
    },
    dueMessage(recipient: string, horizon: Horizon) {
      const message = pendingOf(recipient)
      if (!message || !isDue(message, horizon)) return null
      const { id, words, isShort, createdAt, tries } = message
      return { id, words, isShort, createdAt, tries }
    },
    noteDelivered: (id: string, now: Date, problem: string | null = null) =>
      void note(id, (message) => ({
        ...{ deliveredAt: now, problem, failingSince: problem === null ? null : failingSince(message, now) },
      })),
    noteUndelivered: (id: string, problem: string, now: Date, dueAt: Date) =>
      void note(id, (message) => ({
        ...{ tries: message.tries + 1, problem, failingSince: failingSince(message, now), dueAt },
      })),
    noteRefused(id: string, problem: string, now: Date): boolean {
      const noted = note(id, (message) => ({
        ...{ tries: message.tries + 1, problem, failingSince: failingSince(message, now), dueAt: now, isShort: true },
        givenUpAt: message.isShort ? now : null,
      }))
      return Boolean(noted?.givenUpAt)
    },
    recipients(): RecipientStatus[] {
      return [...new Set(messages.map(({ recipient }) => recipient))].sort().map((recipient) => {
        const own = messagesTo(recipient)
        const delivered = own.filter(({ deliveredAt }) => deliveredAt)
        const [givenUp, ...more] = own
          .filter(({ givenUpAt }) => givenUpAt)
          .sort((a, b) => Number(b.givenUpAt) - Number(a.givenUpAt))
        const lastMs = Math.max(...delivered.map(({ deliveredAt }) => Number(deliveredAt)))
        return {
          ...{ recipient, delivered: delivered.length, waiting: own.filter(isPending).length },
          ...{ givenUp: givenUp ? more.length + 1 : 0, tries: own[0]?.tries ?? 0 },
          ...{ failingSince: own[0]?.failingSince ?? null, problem: own[0]?.problem ?? null },
          lastDeliveredAt: delivered.length > 0 ? new Date(lastMs) : null,
          ...{ lastGivenUpAt: givenUp?.givenUpAt ?? null, lastGivenUpProblem: givenUp?.problem ?? null },
        }
      })
    },
    failing: (recipients: readonly string[], now: Date): FailingRecipient[] =>
      recipients.flatMap((recipient) => {
        const last = messagesTo(recipient).find(({ deliveredAt, tries }) => deliveredAt || tries > 0)
        const [givenUp] = messagesTo(recipient)
          .filter(({ givenUpAt }) => givenUpAt && givenUpAt.getTime() > now.getTime() - hourMs)
          .sort((a, b) => Number(b.givenUpAt) - Number(a.givenUpAt))
        const failed = last?.failingSince ? last : givenUp
        const since = last?.failingSince ?? givenUp?.givenUpAt
        if (!failed || !since) return []
        return [
          {
            ...{ recipient, since, problem: givenUp?.problem ?? last?.problem ?? '' },
            isPartial: Boolean(last?.deliveredAt) && !givenUp,
            isGivenUp: Boolean(givenUp ?? last?.givenUpAt),
            ...{ madeAt: failed.createdAt, restedAt: failed.deliveredAt ?? failed.givenUpAt },
          },
        ]
      }),
    forgetOtherRecipients(recipients: readonly string[], before: Date): string[] {
      const isOther = ({ recipient }: { recipient: string }) => !recipients.includes(recipient)
      const forgotten = messages.filter((each) => isOther(each) && isPending(each) && each.createdAt < before)
      const left = changes.filter(
        (each) => isOther(each) && (each.message ? forgotten.includes(each.message) : each.at < before),
      )
      const cleared = messages.filter((each) => isOther(each) && !isPending(each) && each.failingSince)
      changes = changes.filter((each) => !left.includes(each))
      messages = messages.filter((each) => !forgotten.includes(each))
      for (const message of cleared) message.failingSince = null
      return [...new Set([...left, ...forgotten, ...cleared].map(({ recipient }) => recipient))]
    },
    prune(before: Date) {
      const isRead = (notice: NoticeRecord) =>
        !changes.some((each) => each.notice === notice && (!each.message || isPending(each.message)))
      const past = notices.filter((each) => each.recoveredAt && each.recoveredAt < before && isRead(each))
      changes = changes.filter(({ notice }) => !past.includes(notice))
      notices = notices.filter((each) => !past.includes(each))
      messages = messages.filter(
        (each) => each.createdAt >= before || isPending(each) || changes.some(({ message }) => message === each),
      )
    },
    counts: () => ({ notices: notices.length, changes: changes.length, messages: messages.length }),
  }
}
