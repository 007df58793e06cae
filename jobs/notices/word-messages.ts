// Words a message for each recipient for whom something waits. Reads and writes the ledger.

import { sortChanges, wordMessage } from '#src/extensions/notices/word-message.ts'
import type { NoticeTools } from './decide-notices.ts'
import { logFault } from './log-fault.ts'

/** What begins at about the same time is one message, and what ends within this time is none. */
const settleMs = 30_000

/** Called under the lock of the notices. Words nothing for a recipient whose last message was a short while ago. */
export async function wordMessages(tools: NoticeTools): Promise<void> {
  const { ledger, notices, clock } = tools
  const { groupMs, recipients } = notices
  const now = clock.now()
  const inMs = (ms: number) => new Date(now.getTime() + ms)
  const names = recipients.map(({ name }) => name)
  const times = { since: inMs(-Math.min(settleMs, groupMs)), lastBefore: inMs(-groupMs), latest: inMs(groupMs) }
  const due = await ledger.notices.toWord(names, times)
  for (const recipient of recipients.filter(({ name }) => due.includes(name)))
    await logFault(tools, 'word messages', wordFor(tools, recipient, now))
}

async function wordFor(
  { ledger, notices }: NoticeTools,
  { name, way }: NoticeTools['notices']['recipients'][number],
  now: Date,
): Promise<void> {
  const changes = await ledger.notices.changesFor(name)
  const { environment } = ledger
  const words = way.trim(wordMessage(changes, { environment, now, link: notices.settings?.console ?? null }))
  // What does not fit waits for the next message.
  const told = sortChanges(changes).slice(0, words.sections.length)
  const ids = told.flatMap((change) => change.ids)
  await ledger.notices.makeMessage(name, ids, words, now)
}
