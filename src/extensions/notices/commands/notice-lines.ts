// Describes the open notices and the messages to each recipient, for `notices` and `status`. Pure.

import { describeNotice } from '#src/extensions/notices/describe-facts.ts'
import { type RecipientStatus, untriedMs } from '#src/extensions/notices/ledger/notice-messages.ts'
import type { ShownNotice } from '#src/extensions/notices/ledger/notice-store.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { formatDuration, minuteOf } from '#src/platform/time/duration.ts'

export function noticeLines(notices: readonly ShownNotice[], now: Date): string[] {
  return notices.flatMap((notice) => {
    const { kind, pipeline, recipients } = notice
    const { title, lines, since } = describeNotice(notice)
    const lasted = formatDuration(Math.max(0, now.getTime() - since.getTime()))
    const reached = recipients.map(({ recipient, notifiedAt }) =>
      notifiedAt ? `${recipient} at ${minuteOf(notifiedAt)} UTC` : `${recipient} not yet`,
    )
    return [
      `${kind}  ${pipeline === null ? '' : `${pipeline}: `}${title}, for ${lasted}`,
      ...lines.map((line) => `  ${line}`),
      reached.length > 0 ? `  notified: ${reached.join(', ')}` : '  nobody is notified of this',
    ]
  })
}

export function recipientLines(recipients: readonly RecipientStatus[]): string[] {
  return recipients.map(({ recipient, delivered, waiting, givenUp, lastDeliveredAt, failingSince, problem }) => {
    const last = lastDeliveredAt ? `, the last at ${minuteOf(lastDeliveredAt)} UTC` : ''
    const waits = waiting > 0 ? `; ${countOf(waiting, 'message')} ${waiting === 1 ? 'waits' : 'wait'}` : ''
    const failing = failingSince ? `; failing since ${minuteOf(failingSince)} UTC: ${problem ?? ''}` : ''
    const refused = givenUp > 0 ? `; ${countOf(givenUp, 'message')} refused and given up` : ''
    return `to ${recipient}: ${countOf(delivered, 'message')} delivered${last}${waits}${refused}${failing}`
  })
}

/** Whether messages to the recipient fail, or reach only some of its addresses. */
export function isFailing({ failingSince, waiting, lastDeliveredAt, lastGivenUpAt }: RecipientStatus, now: Date) {
  const restedMs = Math.max(lastDeliveredAt?.getTime() ?? 0, lastGivenUpAt?.getTime() ?? 0)
  return failingSince !== null && (waiting > 0 || now.getTime() - restedMs < untriedMs)
}

/** One line for `status`; none if nothing is open and every recipient can be reached. */
export function noticeSummaryLines(
  notices: readonly ShownNotice[],
  recipients: readonly RecipientStatus[],
  now: Date,
): string[] {
  const open = notices.filter(isTrouble).length
  const failing = recipients.filter((each) => isFailing(each, now)).map(({ recipient }) => recipient)
  const parts = [
    ...(open > 0 ? [`${countOf(open, 'notice')} open`] : []),
    ...(failing.length > 0 ? [`messages to ${failing.join(', ')} cannot be delivered`] : []),
  ]
  return parts.length === 0 ? [] : [`${parts.join('; ')}: \`credsync notices\` says more`]
}

/** A summary is open while rows of its list are, which is no trouble. */
export const isTrouble = ({ kind }: Pick<ShownNotice, 'kind'>) => kind !== 'summary'

export function noticeDocument(notice: ShownNotice): object {
  const { environment, key, kind, pipeline, since, openedAt, remindedAt, recipients } = notice
  const { title, lines } = describeNotice(notice)
  return { environment, key, kind, pipeline, title, lines, since, openedAt, remindedAt, recipients }
}
