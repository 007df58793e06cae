// The ledger's verbs that only read what notices are decided from, and the notices themselves.

import { noticedAt } from '#test/guarantees/interleavings/scene-additions.ts'
import type { Verb } from '#test/guarantees/interleavings/verb.ts'

const longAgo = new Date('2026-01-01')
const expecting = [
  { pipeline: 'spring', from: longAgo, completions: false },
  { pipeline: 'spring', from: longAgo, completions: true },
]
const by = (seconds: number) => ({ now: noticedAt(seconds), latest: noticedAt(9_000) })
const targets = ['campus', 'hooks'].map((name) => ({ pipeline: 'spring', name }))
const recipients = ['ops', 'office', 'other']

export const noticeReadings: Verb[] = [
  { name: 'notices.changesFor', run: (ledger) => ledger.notices.changesFor('ops') },
  {
    name: 'notices.dueMessage',
    run: async (ledger) => [
      await ledger.notices.dueMessage('office', by(1)),
      await ledger.notices.dueMessage('office', by(0)),
      await ledger.notices.dueMessage('ops', by(1)),
    ],
  },
  { name: 'notices.open', run: (ledger) => ledger.notices.open() },
  {
    name: 'notices.readings',
    run: (ledger) =>
      ledger.notices.readings({
        ...{ summarizeFrom: longAgo, refusedFrom: longAgo, countsChanges: true },
        ...{ pipelines: ['spring', 'autumn'], inboxes: ['spring'], targets, recipients, expecting },
        now: noticedAt(10_000),
      }),
  },
  { name: 'notices.recipients', run: (ledger) => ledger.notices.recipients() },
  { name: 'notices.shown', run: (ledger) => ledger.notices.shown() },
  {
    name: 'notices.toCompose',
    run: async (ledger) => [
      await ledger.notices.toCompose(recipients, {
        since: noticedAt(2_000),
        lastBefore: noticedAt(1_000),
        latest: noticedAt(9_000),
      }),
      await ledger.notices.toCompose(recipients, {
        since: noticedAt(2_000),
        lastBefore: noticedAt(0),
        latest: noticedAt(9_000),
      }),
      await ledger.notices.toCompose(recipients, {
        since: noticedAt(1_000),
        lastBefore: noticedAt(1_000),
        latest: noticedAt(9_000),
      }),
    ],
  },
  { name: 'notices.withDueMessages', run: (ledger) => ledger.notices.withDueMessages(recipients, by(2)) },
]
