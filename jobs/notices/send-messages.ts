// Sends the messages that are due, each to its recipient. A message is noted as delivered only afterwards, so after a
// kill it is sent once more, with the same id. Calls mail servers and hooks, and updates the ledger.

import type { MessageWords } from '#src/notices/word-message.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import type { NoticeTools } from './decide-notices.ts'

/** It is never given up: what waits meanwhile is collected in the next message, so nothing piles up. */
const retry = { baseMs: 60_000, capMs: 3_600_000, jitter: 0.2 }

/** Called under the lock of the notices. */
export async function sendMessages(tools: NoticeTools, signal: AbortSignal): Promise<void> {
  const { ledger, notices, clock } = tools
  const names = notices.recipients.map(({ name }) => name)
  const due = new Set(await ledger.notices.withDueMessages(names, clock.now()))
  // At the same time, so that a slow mail server does not delay the others.
  const results = await Promise.allSettled(
    notices.recipients.filter(({ name }) => due.has(name)).map((recipient) => sendMessage(tools, recipient, signal)),
  )
  for (const result of results) if (result.status === 'rejected') throw result.reason
}

async function sendMessage(
  { ledger, log, clock, random }: NoticeTools,
  { name, way }: NoticeTools['notices']['recipients'][number],
  signal: AbortSignal,
): Promise<void> {
  const message = await ledger.notices.dueMessage<MessageWords>(name, clock.now())
  if (!message) return
  const result = await way.send(message, signal)
  const now = clock.now()
  if (result.kind === 'delivered') {
    await ledger.notices.noteDelivered(message.id, now, result.problem)
    log.event('notice.delivered', { target: name })
  }
  // A try that was cut short because the worker stops says nothing about the recipient.
  else if (!signal.aborted) {
    const dueAt = new Date(now.getTime() + nextDelay(message.tries + 1, retry, random))
    await ledger.notices.noteUndelivered(message.id, result.problem, now, dueAt)
  }
  if (result.kind === 'failed' || result.problem !== null) log.event('notice.undelivered', { target: name })
}
