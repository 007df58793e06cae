// Notices: what somebody must know or do, which recipients are notified of it, and the messages that carry it. Reads and
// writes the database; the messages are sent elsewhere. Times are passed in, because what is decided from them, such as
// whether a list is late, is decided by the clock of the worker.

import { markPastChanges } from '#src/ledger/runs/past-changes.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { noticeRetention } from './forget-notices.ts'
import { type NoticeFacts, noticeMessageStore } from './notice-messages.ts'
import { type ReadingScope, readForNotices } from './notice-readings.ts'

export interface OpenNotice {
  id: number
  key: string
  kind: string
  pipeline: string | null
  facts: NoticeFacts
  /** When what it is about began. */
  since: Date
  openedAt: Date
  /** When it was last opened or reminded of. */
  remindedAt: Date
  /** Those who were notified of it, or are to be. */
  readers: string[]
}

/** An open notice, and who was notified of it. */
export interface ShownNotice extends Omit<OpenNotice, 'readers'> {
  environment: string
  recipients: { recipient: string; notifiedAt: Date | null }[]
}

/**
 * What is to be done about one notice.
 *
 * - `once`: does nothing if the last notice of this key ended after `since`
 * - `always`: recipients who never read that it was open are notified, too
 *
 * Otherwise, only those of the recipients who were sent a message that it is open read of its end.
 */
export type NoticeStep = { key: string; facts: NoticeFacts } & (
  | ({ recipients: readonly string[] } & NoticeChangeStep)
  /** Nobody is notified, but recipients who have not read of it yet will read the new facts. */
  | { do: 'restate' }
)
type NoticeChangeStep =
  | { do: 'open'; kind: string; pipeline: string | null; since: Date; once?: boolean }
  /** Opens and ends at once: it does not last. Does nothing if it was done for this run before. */
  | { do: 'note'; kind: string; pipeline: string | null; since: Date; run: string }
  | { do: 'remind' }
  /** Recipients who were not notified of it before read that it is open. */
  | { do: 'notify' }
  | { do: 'recover'; always: boolean }
  /** Ends without having recovered. `facts.withdrawn` says why. */
  | { do: 'withdraw' }

const noticeColumns = `n.id, n.key, n.kind, n.pipeline, n.facts, n.since, n.opened_at AS "openedAt", n.reminded_at AS "remindedAt"`

/** @param environment `any` for commands that only read */
export function noticeStore(db: Database, environment: string) {
  return {
    /**
     * Since when something is observed with these settings. Creates the record, or starts it again if the settings have
     * changed.
     */
    async watchedSince(subject: string, terms: string, now: Date): Promise<Date> {
      // Asked in every round, and hardly ever new, so it is read first.
      const read = () =>
        db.query<{ since: Date }>(
          'SELECT since FROM notice_watch WHERE environment = $1 AND subject = $2 AND terms = $3',
          [environment, subject, terms],
        )
      const { rows } = await read()
      if (rows[0]) return rows[0].since
      await db.query(
        `INSERT INTO notice_watch AS w (environment, subject, terms, since) VALUES ($1, $2, $3, $4)
         ON CONFLICT (environment, subject) DO UPDATE SET terms = excluded.terms, since = excluded.since WHERE w.terms <> excluded.terms`,
        [environment, subject, terms, now],
      )
      return (await read()).rows[0]?.since ?? now
    },
    readings: (scope: ReadingScope) => readForNotices(db, environment, scope),
    async open(): Promise<OpenNotice[]> {
      const { rows } = await db.query<OpenNotice>(
        `SELECT ${noticeColumns}, array(SELECT DISTINCT c.recipient FROM notice_change c WHERE c.notice_id = n.id ORDER BY 1) AS readers
         FROM notice n WHERE environment = $1 AND recovered_at IS NULL ORDER BY n.opened_at, n.id`,
        [environment],
      )
      return rows
    },
    /** The open notices, and when each recipient last got a message about them. */
    async shown(): Promise<ShownNotice[]> {
      const { rows } = await db.query<ShownNotice & { recipients: { recipient: string; notifiedAt: string | null }[] }>(
        `SELECT ${noticeColumns}, n.environment,
           coalesce((SELECT json_agg(json_build_object('recipient', recipient, 'notifiedAt', at) ORDER BY recipient)
             FROM (SELECT c.recipient, max(m.delivered_at) AS at FROM notice_change c LEFT JOIN notice_message m ON m.id = c.message_id
                   WHERE c.notice_id = n.id GROUP BY c.recipient) r), '[]') AS recipients
         FROM notice n WHERE $1 IN (n.environment, 'any') AND n.recovered_at IS NULL ORDER BY n.opened_at, n.id`,
        [environment],
      )
      return rows.map(({ recipients, ...notice }) => ({
        ...notice,
        recipients: recipients.map(({ recipient, notifiedAt }) => ({
          recipient,
          notifiedAt: notifiedAt === null ? null : new Date(notifiedAt),
        })),
      }))
    },
    /** Takes the steps, all or none of them. A notice that is open already is not opened again. */
    apply: (steps: readonly NoticeStep[], now: Date): Promise<void> =>
      db.transaction(async (sql) => {
        // By key, so that two workers that decide the same at the same time cannot deadlock.
        for (const step of steps.toSorted((a, b) => Number(a.key > b.key) - Number(a.key < b.key)))
          await applyStep(sql, environment, step, now)
      }),
    /** Prepares the reading of `changes`, so that it costs no more in an old ledger than in a new one. */
    markPastChanges: () => markPastChanges(db, environment),
    ...noticeMessageStore(db, environment),
    ...noticeRetention(db, environment),
  }
}

async function applyStep(sql: Sql, environment: string, step: NoticeStep, now: Date): Promise<void> {
  const facts = JSON.stringify(step.facts)
  if (step.do === 'note') {
    const { rowCount } = await sql.query(
      'UPDATE run SET refusal_noted_at = $3 WHERE environment = $1 AND id = $2 AND refusal_noted_at IS NULL',
      [environment, step.run, now],
    )
    if (rowCount === 0) return
  }
  const { rows } =
    step.do === 'restate' || step.do === 'notify'
      ? await restate(sql, [environment, step.key, facts])
      : step.do === 'open' || step.do === 'note'
        ? await sql.query<{ id: number }>(
            `INSERT INTO notice (environment, key, kind, pipeline, facts, since, opened_at, reminded_at, recovered_at)
             SELECT $1, $2, $3, $4, $5, $6, $7, $7, CASE WHEN $9 THEN $7::timestamptz END
             WHERE NOT $8 OR NOT EXISTS (SELECT FROM notice WHERE environment = $1 AND key = $2 AND recovered_at >= $6)
             ON CONFLICT (environment, key) WHERE recovered_at IS NULL DO NOTHING RETURNING id`,
            [
              ...[environment, step.key, step.kind, step.pipeline, facts, step.since, now],
              ...[step.do === 'open' && (step.once ?? false), step.do === 'note'],
            ],
          )
        : await sql.query<{ id: number }>(
            `UPDATE notice SET facts = $3, ${step.do === 'remind' ? 'reminded_at' : 'recovered_at'} = $4
           WHERE environment = $1 AND key = $2 AND recovered_at IS NULL ${step.do === 'remind' ? 'AND reminded_at <> $4' : ''} RETURNING id`,
            [environment, step.key, facts, now],
          )
  const [notice] = rows
  if (!notice || step.do === 'restate') return
  const ends = step.do === 'recover' || step.do === 'withdraw'
  if (ends) await dropUnread(sql, notice.id)
  if (step.do === 'recover' && step.facts.about === 'summary')
    await sql.query('UPDATE run SET summarized_at = $3 WHERE environment = $1 AND id = $2', [
      environment,
      step.facts.run,
      now,
    ])
  const isForAll = step.do === 'recover' && step.always
  // A change that still waits for its message is replaced by the later one.
  await sql.query(
    `INSERT INTO notice_change AS c (notice_id, recipient, change, facts, at)
     SELECT $1, r, $3, $4, $5 FROM unnest($2::text[]) r
     WHERE ${isNotified[step.do === 'notify' ? 'newcomers' : ends && !isForAll ? 'readers' : 'all']}
     ON CONFLICT (notice_id, recipient) WHERE message_id IS NULL DO UPDATE SET facts = excluded.facts`,
    [notice.id, step.recipients, changeOf[step.do], facts, now],
  )
}

const changeOf = {
  open: 'opened',
  note: 'opened',
  notify: 'opened',
  remind: 'reminded',
  recover: 'recovered',
  withdraw: 'withdrawn',
}

/** SQL: whether recipient r is notified of a change of notice $1. Nobody has read a message that was given up. */
const isNotified = {
  all: 'true',
  newcomers: 'NOT EXISTS (SELECT FROM notice_change o WHERE o.notice_id = $1 AND o.recipient = r)',
  readers: `EXISTS (SELECT FROM notice_change o JOIN notice_message m ON m.id = o.message_id
    WHERE o.notice_id = $1 AND o.recipient = r AND m.given_up_at IS NULL)`,
}

function restate(sql: Sql, values: [environment: string, key: string, facts: string]) {
  return sql.query<{ id: number }>(
    `WITH n AS (UPDATE notice SET facts = $3 WHERE environment = $1 AND key = $2 AND recovered_at IS NULL RETURNING id),
       c AS (UPDATE notice_change c SET facts = $3 FROM n WHERE c.notice_id = n.id AND c.message_id IS NULL)
     SELECT id FROM n`,
    values,
  )
}

/** Removes what nobody has read yet of a notice that has ended. */
async function dropUnread(sql: Sql, notice: number): Promise<void> {
  await sql.query('DELETE FROM notice_change WHERE notice_id = $1 AND message_id IS NULL', [notice])
}
