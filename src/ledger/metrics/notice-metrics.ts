// Reads the metrics of notices: what is open, and how the messages to each recipient fare.

import type { Sql } from '#src/platform/database/database.ts'

export interface NoticeMetrics {
  open: { kind: string; notices: number }[]
  messages: {
    recipient: string
    delivered: number
    waiting: number
    givenUp: number
    /** Failed tries of the message that waits. */
    tries: number
    /** Seconds since deliveries fail; 0 if no message waits, or none has failed. */
    failingS: number
  }[]
}

export async function readNoticeMetrics(sql: Sql, environment: string): Promise<NoticeMetrics> {
  const { rows: open } = await sql.query<NoticeMetrics['open'][number]>(
    'SELECT kind, count(*) AS notices FROM notice WHERE environment = $1 AND recovered_at IS NULL GROUP BY 1',
    [environment],
  )
  const { rows: messages } = await sql.query<NoticeMetrics['messages'][number]>(
    `SELECT recipient, count(delivered_at) AS delivered, count(given_up_at) AS "givenUp",
            count(*) - count(delivered_at) - count(given_up_at) AS waiting,
            coalesce(sum(tries) FILTER (WHERE delivered_at IS NULL AND given_up_at IS NULL), 0) AS tries,
            coalesce(extract(epoch FROM clock_timestamp() - min(failing_since) FILTER (WHERE delivered_at IS NULL AND given_up_at IS NULL)), 0)::float AS "failingS"
     FROM notice_message WHERE environment = $1 GROUP BY 1`,
    [environment],
  )
  return { open, messages }
}
