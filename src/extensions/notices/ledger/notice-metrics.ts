// Reads the metrics of notices: what is open, and how the messages to each recipient fare.

import type { Sql } from '#src/platform/database/database.ts'
import { isPending, lastTried, untriedMs } from './notice-messages.ts'

export interface NoticeMetrics {
  open: { kind: string; notices: number }[]
  messages: {
    recipient: string
    delivered: number
    waiting: number
    givenUp: number
    /** Failed tries of the message that waits. */
    tries: number
    /** Seconds since deliveries fail, or reach only some addresses; 0 while they succeed. */
    failingS: number
  }[]
}

export async function readNoticeMetrics(sql: Sql, environment: string): Promise<NoticeMetrics> {
  const { rows: open } = await sql.query<NoticeMetrics['open'][number]>(
    'SELECT kind, count(*) AS notices FROM notice WHERE environment = $1 AND recovered_at IS NULL GROUP BY 1',
    [environment],
  )
  const { rows: messages } = await sql.query<NoticeMetrics['messages'][number]>(
    `SELECT counts.*, greatest(0, extract(epoch FROM clock_timestamp() - last.failing_since))::float AS "failingS"
     FROM (SELECT recipient, count(delivered_at) AS delivered, count(given_up_at) AS "givenUp",
             count(*) - count(delivered_at) - count(given_up_at) AS waiting, coalesce(sum(tries) FILTER (WHERE ${isPending}), 0) AS tries
           FROM notice_message WHERE environment = $1 GROUP BY 1) counts
     LEFT JOIN ${lastTried('counts.recipient')} last ON coalesce(last.delivered_at, last.given_up_at, clock_timestamp()) > clock_timestamp() - interval '${untriedMs} milliseconds'`,
    [environment],
  )
  return { open, messages }
}
