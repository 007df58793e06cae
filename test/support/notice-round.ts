// One round of everything that a worker does about notices, until all of it is done.

import { decisionRound } from '#jobs/notices/notice-loop.ts'
import { openMessageSender } from '#jobs/notices/send-messages.ts'
import type { App } from '#src/app/app.ts'

const signal = new AbortController().signal

export async function noticeRound(app: App): Promise<void> {
  await decisionRound(app)
  const sender = openMessageSender(app, signal)
  await sender.round()
  await sender.idle()
}
