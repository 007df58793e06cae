// Who did what in the console and looked at whom, together with what people decided by commands, newest first. Reads
// and writes the database. No name of a person in a list is stored, only the ids of issuances and runs.

import { exactTime } from '#src/ledger/exact-time.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'

export interface ConsoleAct {
  by: string
  /** A clause such as `signed in`. */
  act: string
  run?: string
  issuance?: number
  detail?: string
}

export interface LoggedAct {
  at: Date
  by: string
  act: string
  run: string | null
  issuance: number | null
  /** The reason that was given. */
  why: string | null
  /** Where the next page begins. */
  cursor: string
}

/** A decision. Its detail is the message that the person saw. */
export const decidedAct = 'decided'

/** A list that was uploaded became a run. Its detail is the id of the upload. */
export const issuedAct = 'issued a list'

/** Acts with an effect that nothing else in the ledger records. They are kept forever. */
const lastingActs = [issuedAct, 'added a local user', 'removed a local user']

// Each source is cut to a page before they are merged, so that the length of none of them matters.
const sources = [
  // What was decided is in the other sources, with its reason.
  `SELECT at, by, act, run_id AS run, issuance_id AS issuance, CASE WHEN act <> '${issuedAct}' THEN detail END AS why
   FROM console_act WHERE environment = $1 AND at < $2 AND act <> '${decidedAct}'`,
  // A failed row that is corrected is sent again, with other data in these fields.
  `SELECT h.at, coalesce(h.evidence->>'by', ''), CASE WHEN h.evidence ? 'fields' THEN 'corrected a failed row: ' || (h.evidence->>'fields') ELSE h.event END,
     NULL, h.issuance_id, h.evidence->>'why' FROM history h JOIN issuance i ON i.id = h.issuance_id
   WHERE h.event LIKE 'a person decided%' AND i.environment = $1 AND h.at < $2`,
  `SELECT approved_at, approved_by, 'approved a run', id, NULL, approved_why FROM run WHERE environment = $1 AND approved_at < $2`,
  `SELECT rejected_at, rejected_by, 'rejected a run', id, NULL, rejected_why FROM run WHERE environment = $1 AND rejected_at < $2`,
  `SELECT wanted_at, by, CASE WHEN changed_fields IS NULL OR correction_by IS NOT NULL THEN 'revoked a credential' ELSE 'corrected a credential' END, NULL, issuance_id, why
   FROM revocation WHERE environment = $1 AND wanted_at < $2`,
  `SELECT correction_at, correction_by, 'corrected a credential', NULL, issuance_id, correction_why FROM revocation WHERE environment = $1 AND correction_at < $2`,
  `SELECT ended_at, ended_by, 'trusted the ledger', NULL, NULL, ended_why FROM sending_stop WHERE environment = $1 AND ended_at < $2`,
  `SELECT requested_at, requested_by, 'asked to forget a person', NULL, NULL, reason FROM erasure WHERE environment = $1 AND requested_at < $2 AND kind = 'request'`,
]

export async function noteAct(
  sql: Sql,
  environment: string,
  { by, act, run, issuance, detail }: ConsoleAct,
  now: Date,
): Promise<number> {
  const { rows } = await sql.query<{ id: number }>(
    'INSERT INTO console_act (environment, at, by, act, run_id, issuance_id, detail) VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING id',
    [environment, now, by, act, run ?? null, issuance ?? null, detail ?? null],
  )
  return rows[0]?.id as number
}

export function consoleActStore(db: Database, environment: string) {
  return {
    /** @returns the id of the act */
    note: (act: ConsoleAct, now: Date): Promise<number> => noteAct(db, environment, act, now),
    /**
     * Deletes acts from before `before`, except those that last and those of the last day by the clock of the database:
     * deleting these would be refused, and another clock may be ahead of it.
     * @returns how many, at most `limit`
     */
    async expire(before: Date, limit: number): Promise<number> {
      const { rowCount } = await db.query(
        `DELETE FROM console_act WHERE id IN (
           SELECT id FROM console_act WHERE environment = $1 AND at < least($2, statement_timestamp() - interval '1 day') AND act <> ALL($4)
           ORDER BY at LIMIT $3)`,
        [environment, before, limit, lastingActs],
      )
      return rowCount
    },
    /**
     * What a person decided since `since`, in the words that were stored with the act; null if there is no such act.
     */
    async decided(id: number, by: string, since: Date): Promise<string | null> {
      const { rows } = await db.query<{ detail: string }>(
        'SELECT detail FROM console_act WHERE environment = $1 AND id = $2 AND by = $3 AND act = $4 AND at >= $5',
        [environment, id, by, decidedAct, since],
      )
      return rows[0]?.detail ?? null
    },
    /**
     * A page of all acts, newest first. Acts of the same moment stay together, so a page may be a little longer.
     * @param before the `cursor` of the last line of the previous page
     */
    async page({ before, limit }: { before: string | null; limit: number }): Promise<LoggedAct[]> {
      const cut = sources
        .map((source) => `(${source} ORDER BY 1 DESC FETCH FIRST $3 ROWS WITH TIES)`)
        .join(' UNION ALL ')
      const { rows } = await db.query<LoggedAct>(
        `SELECT at, by, act, run, issuance::int, nullif(why, '') AS why, ${exactTime('at')} AS cursor
         FROM (${cut}) AS merged (at, by, act, run, issuance, why) ORDER BY at DESC FETCH FIRST $3 ROWS WITH TIES`,
        [environment, before ?? 'infinity', limit],
      )
      return rows
    },
  }
}
