// Messages about notices: collected for each recipient, composed once, and delivered at least once with the same id.
// Reads and writes the database.

import type { Database } from '#src/platform/database/database.ts'
import { statesOf } from './list-readings.ts'

/** What a notice says, apart from its wording. */
export type NoticeFacts = Record<string, unknown>

/** What a recipient is to read about one notice. */
export interface WaitingNoticeChange {
  id: number
  key: string
  kind: string
  pipeline: string | null
  change: 'opened' | 'reminded' | 'recovered' | 'withdrawn'
  facts: NoticeFacts
  since: Date
  at: Date
}

export interface DueMessage<Words> {
  id: string
  words: Words
  /** Whether only counts are sent, because the whole message was refused. */
  isShort: boolean
  createdAt: Date
  /** Those that failed. */
  tries: number
}

/** The messages of one recipient. */
export interface RecipientStatus {
  recipient: string
  delivered: number
  waiting: number
  /** Refused for their content, and not sent again. */
  givenUp: number
  /** Failed tries of the message that waits. */
  tries: number
  /** Since when deliveries fail, or are accepted in part; null while they succeed. */
  failingSince: Date | null
  problem: string | null
  lastDeliveredAt: Date | null
  /** When the last message was given up, and why. */
  lastGivenUpAt: Date | null
  lastGivenUpProblem: string | null
}

/**
 * Nothing is put off for longer than this: the longest pause between two tries, and the longest time to collect what is
 * new. A later time was written when the clock was ahead, and counts as past; otherwise recipients would read nothing
 * until then.
 */
export interface Horizon {
  now: Date
  latest: Date
}

/** It waits to be delivered. The index of waiting messages has the same condition. */
export const isPending = 'delivered_at IS NULL AND given_up_at IS NULL'

/**
 * SQL: the last message to a recipient that was tried. One that was not says nothing about its recipient. $1 is the
 * environment. @param recipient SQL for the name
 */
export const lastTried = (recipient: string) => `LATERAL (
  SELECT failing_since, problem, created_at, delivered_at, given_up_at FROM notice_message m
  WHERE m.environment = $1 AND m.recipient = ${recipient} AND (m.delivered_at IS NOT NULL OR m.tries > 0) ORDER BY m.created_at DESC LIMIT 1)`

/** What came to rest longer ago says little about the next message, and nobody can set it right before that. */
export const untriedMs = 2 * 86_400_000

const maxChangesOfMessage = 200

/**
 * SQL: since when messages to the recipient of `m` have failed. This includes the message before it, if that one was
 * given up or did not reach all of its addresses. @param now SQL for the time
 */
const failingSince = (now: string) => `least(${now}::timestamptz, coalesce(m.failing_since,
  (SELECT o.failing_since FROM notice_message o WHERE o.environment = m.environment AND o.recipient = m.recipient AND o.created_at < m.created_at
   ORDER BY o.created_at DESC LIMIT 1)))`

export function noticeMessageStore(db: Database, environment: string) {
  return {
    /**
     * The recipients for whom a message can be made: something has waited for them since `since`, no other message
     * waits, and their last one was made before `lastBefore`.
     */
    async toCompose(
      recipients: readonly string[],
      { since, lastBefore, latest }: { since: Date; lastBefore: Date; latest: Date },
    ): Promise<string[]> {
      const { rows } = await db.query<{ recipient: string }>(
        `SELECT r AS recipient FROM unnest($2::text[]) r
         WHERE EXISTS (SELECT FROM notice_change c JOIN notice n ON n.id = c.notice_id WHERE n.environment = $1 AND c.recipient = r AND c.message_id IS NULL AND (c.at <= $3 OR c.at > $5))
           AND NOT EXISTS (SELECT FROM notice_message m WHERE m.environment = $1 AND m.recipient = r AND ${isPending})
           AND NOT EXISTS (SELECT FROM notice_message m WHERE m.environment = $1 AND m.recipient = r AND m.created_at > $4 AND m.created_at <= $5)`,
        [environment, recipients, since, lastBefore, latest],
      )
      return rows.map(({ recipient }) => recipient)
    },
    /**
     * What waits for a message to the recipient, the oldest first and summaries last. The first summary of a list has
     * the states that it has now.
     */
    async changesFor(recipient: string): Promise<WaitingNoticeChange[]> {
      const { rows } = await db.query<WaitingNoticeChange>(
        `SELECT c.id, n.key, n.kind, n.pipeline, c.change,
           CASE WHEN n.kind = 'summary' AND c.change = 'opened' THEN c.facts || jsonb_build_object('states', ${statesOf("(c.facts->>'run')::uuid")})
                ELSE c.facts END AS facts, n.since, c.at
         FROM notice_change c JOIN notice n ON n.id = c.notice_id
         WHERE n.environment = $1 AND c.recipient = $2 AND c.message_id IS NULL
         ORDER BY n.kind = 'summary', c.at, c.id LIMIT ${maxChangesOfMessage}`,
        [environment, recipient],
      )
      return rows
    },
    /**
     * Makes one message of the changes. Does nothing if another process was faster: if one of the changes was replaced
     * or has a message, or another message waits for the recipient.
     */
    makeMessage: (recipient: string, changes: readonly number[], words: object, now: Date): Promise<void> =>
      db.transaction(async (sql) => {
        // As `apply` does, which may run at the same time: the notices by key, and then their changes.
        await sql.query(
          `SELECT FROM notice WHERE id IN (SELECT notice_id FROM notice_change WHERE id = ANY($1)) ORDER BY key COLLATE "C" FOR NO KEY UPDATE`,
          [changes],
        )
        const { rows: unread } = await sql.query(
          'SELECT id FROM notice_change WHERE id = ANY($1) AND message_id IS NULL ORDER BY id FOR UPDATE',
          [changes],
        )
        if (unread.length === 0 || unread.length < changes.length) return
        const { rows } = await sql.query<{ id: string }>(
          `INSERT INTO notice_message (environment, recipient, words, created_at, due_at) VALUES ($1, $2, $3, $4, $4)
           ON CONFLICT (environment, recipient) WHERE ${isPending} DO NOTHING RETURNING id`,
          [environment, recipient, JSON.stringify(words), now],
        )
        if (rows[0])
          await sql.query('UPDATE notice_change SET message_id = $2 WHERE id = ANY($1)', [changes, rows[0].id])
      }),
    /** Recipients that have a message to be sent now. */
    async withDueMessages(recipients: readonly string[], { now, latest }: Horizon): Promise<string[]> {
      const { rows } = await db.query<{ recipient: string }>(
        `SELECT recipient FROM notice_message WHERE environment = $1 AND recipient = ANY($2) AND ${isPending} AND (due_at <= $3 OR due_at > $4)`,
        [environment, recipients, now, latest],
      )
      return rows.map(({ recipient }) => recipient)
    },
    /** The message that is to be sent to a recipient now, if there is one. */
    async dueMessage<Words>(recipient: string, { now, latest }: Horizon): Promise<DueMessage<Words> | null> {
      const { rows } = await db.query<DueMessage<Words>>(
        `SELECT id, words, is_short AS "isShort", created_at AS "createdAt", tries FROM notice_message
         WHERE environment = $1 AND recipient = $2 AND ${isPending} AND (due_at <= $3 OR due_at > $4)`,
        [environment, recipient, now, latest],
      )
      return rows[0] ?? null
    },
    /** @param problem what was not accepted, although the message was delivered; null if all of it was */
    async noteDelivered(id: string, now: Date, problem: string | null = null): Promise<void> {
      await db.query(
        `UPDATE notice_message m SET delivered_at = $2::timestamptz, problem = $3::text, failing_since = CASE WHEN $3::text IS NOT NULL THEN ${failingSince('$2')} END
         WHERE id = $1 AND ${isPending}`,
        [id, now, problem],
      )
    },
    /** Records that a try failed. @param problem a sentence without addresses and secrets */
    async noteUndelivered(id: string, problem: string, now: Date, dueAt: Date): Promise<void> {
      await db.query(
        `UPDATE notice_message m SET tries = tries + 1, problem = $2, failing_since = ${failingSince('$3')}, due_at = $4
         WHERE id = $1 AND ${isPending}`,
        [id, problem, now, dueAt],
      )
    },
    /**
     * Records that the message was refused for its content. It is sent once more, in its short form, at once; if that
     * was refused, it is given up. @returns whether it is given up
     */
    async noteRefused(id: string, problem: string, now: Date): Promise<boolean> {
      const { rows } = await db.query<{ givenUp: boolean }>(
        `UPDATE notice_message m SET tries = tries + 1, problem = $2, failing_since = ${failingSince('$3')}, due_at = $3,
           is_short = true, given_up_at = CASE WHEN is_short THEN $3::timestamptz END
         WHERE id = $1 AND ${isPending} RETURNING given_up_at IS NOT NULL AS "givenUp"`,
        [id, problem, now],
      )
      return rows[0]?.givenUp ?? false
    },
    /** The messages of each recipient that ever had one. */
    async recipients(): Promise<RecipientStatus[]> {
      const { rows } = await db.query<RecipientStatus>(
        `SELECT m.recipient, m.delivered, m.waiting, m."givenUp", coalesce(l.tries, 0) AS tries, l.failing_since AS "failingSince", l.problem, m.last AS "lastDeliveredAt",
           g.at AS "lastGivenUpAt", g.problem AS "lastGivenUpProblem"
         FROM (SELECT environment, recipient, count(delivered_at)::int AS delivered, (count(*) FILTER (WHERE ${isPending}))::int AS waiting,
                 count(given_up_at)::int AS "givenUp", max(delivered_at) AS last
               FROM notice_message WHERE $1 IN (environment, 'any') GROUP BY 1, 2) m
           CROSS JOIN LATERAL (SELECT tries, failing_since, problem FROM notice_message l WHERE l.environment = m.environment AND l.recipient = m.recipient
                    ORDER BY created_at DESC, delivered_at IS NULL DESC LIMIT 1) l
           LEFT JOIN LATERAL (SELECT given_up_at AS at, problem FROM notice_message g WHERE g.environment = m.environment AND g.recipient = m.recipient
                    AND given_up_at IS NOT NULL ORDER BY given_up_at DESC LIMIT 1) g ON true
         ORDER BY m.recipient`,
        [environment],
      )
      return rows
    },
  }
}
