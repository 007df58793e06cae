// Exports the ledger's figures about notices as gauges.

import type { NoticeMetrics } from '#src/extensions/notices/ledger/notice-metrics.ts'
import { noticeKinds } from '#src/extensions/notices/settings/notify-settings.ts'
import type { MakeGauge } from '#src/platform/make-gauge.ts'

export function noticeGauges(gauge: MakeGauge): (figures: NoticeMetrics) => void {
  const open = gauge('notices_open', 'Notices that are open, by kind.', ['kind'])
  const delivered = gauge('notice_messages_delivered', 'Messages that were delivered to a recipient.', ['recipient'])
  const waiting = gauge('notice_messages_waiting', 'Messages that wait to be delivered to a recipient.', ['recipient'])
  const givenUp = gauge('notice_messages_given_up', 'Messages that were given up because a recipient refused them.', [
    'recipient',
  ])
  const tries = gauge('notice_delivery_failures', 'Failed tries of the message that waits for a recipient.', [
    'recipient',
  ])
  const failing = gauge(
    'notice_failing_age_seconds',
    'How long messages to a recipient have failed or reached only some of its addresses; 0 while they succeed.',
    ['recipient'],
  )
  return (figures) => {
    for (const kind of noticeKinds) open.set({ kind }, 0)
    for (const { kind, notices } of figures.open) open.set({ kind }, notices)
    for (const { recipient, ...messages } of figures.messages) {
      delivered.set({ recipient }, messages.delivered)
      waiting.set({ recipient }, messages.waiting)
      givenUp.set({ recipient }, messages.givenUp)
      tries.set({ recipient }, messages.tries)
      failing.set({ recipient }, messages.failingS)
    }
  }
}
