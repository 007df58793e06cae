// Sends the messages that are due, each to its recipient. A message is recorded as delivered only afterwards, so after
// a kill it is sent once more, with the same id. Calls mail servers and hooks, and updates the ledger.

import { type MessageWords, shortForm } from '#src/extensions/notices/compose-message.ts'
import type { Horizon } from '#src/extensions/notices/ledger/notice-messages.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import type { Session } from '#src/platform/database/database.ts'
import type { NoticeTools } from './decide-notices.ts'
import { logFault } from './log-fault.ts'
import { retryCurve } from './pause-after-failure.ts'

export interface MessageSender {
  /** Begins to send what is due, unless another worker is sending. Does not wait for slow servers. */
  round(): Promise<void>
  /** Waits until nothing is being sent. */
  idle(): Promise<void>
}

/**
 * Sends to each recipient separately, because a mail server may take minutes. Only one worker sends: it has the lock
 * for as long as anything is being sent.
 */
export function openMessageSender(tools: NoticeTools, signal: AbortSignal): MessageSender {
  const { ledger, notices } = tools
  const sending = new Map<string, Promise<void>>()
  let lock: Session | null = null
  let isBeginning = false

  async function begin() {
    const free = notices.recipients.filter(({ name }) => !sending.has(name))
    const names = free.map(({ name }) => name)
    const due = await ledger.notices.withDueMessages(names, horizonOf(tools))
    for (const recipient of free.filter(({ name }) => due.includes(name))) {
      const { name } = recipient
      const ended = logFault(tools, 'send messages', sendMessage(tools, recipient, signal)).then(() => {
        sending.delete(name)
        return releaseIfIdle()
      })
      sending.set(name, ended)
    }
  }
  async function takeLock() {
    const session = await ledger.locks.hold('messages')
    // A lost connection has lost the lock. Another worker may then send the same message, with the same id.
    session?.lost.then(() => {
      if (lock !== session) return
      lock = null
      return session.release()
    })
    return session
  }
  async function releaseIfIdle() {
    if (isBeginning || sending.size > 0) return
    const idle = lock
    lock = null
    await idle?.release()
  }
  return {
    async round() {
      if (isBeginning) return
      isBeginning = true
      try {
        lock ??= await takeLock()
        if (lock) await begin()
      } finally {
        isBeginning = false
        await releaseIfIdle()
      }
    },
    async idle() {
      while (sending.size > 0) await Promise.all(sending.values())
    },
  }
}

function horizonOf({ clock }: NoticeTools): Horizon {
  const now = clock.now()
  return { now, latest: new Date(now.getTime() + retryCurve.capMs) }
}

async function sendMessage(
  tools: NoticeTools,
  { name, channel }: NoticeTools['notices']['recipients'][number],
  signal: AbortSignal,
): Promise<void> {
  const { ledger, log, clock, random } = tools
  const message = await ledger.notices.dueMessage<MessageWords>(name, horizonOf(tools))
  if (!message) return
  const { id, words, isShort } = message
  const result = await channel.send({ ...message, words: isShort ? shortForm(words) : words }, signal)
  const now = clock.now()
  if (result.kind === 'delivered') {
    await ledger.notices.noteDelivered(id, now, result.problem)
    log.event('notice.delivered', { target: name, channel: channel.kind })
  } else if (result.kind === 'refused') {
    // Later messages must not wait behind one that is refused every time.
    const isGivenUp = await ledger.notices.noteRefused(id, result.problem, now)
    if (isGivenUp) log.event('notice.abandoned', { target: name, channel: channel.kind })
  }
  // A try that was cut short because the worker stops says nothing about the recipient.
  else if (!signal.aborted) {
    const dueAt = new Date(now.getTime() + nextDelay(message.tries + 1, retryCurve, random))
    await ledger.notices.noteUndelivered(id, result.problem, now, dueAt)
  }
  if (result.problem !== null) log.event('notice.undelivered', { target: name, channel: channel.kind })
}
