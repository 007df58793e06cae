// What the watchdogs of pipelines are told about lists: that each was taken, and then that it was sent or has failed.
// Reads and writes the database.

import { unsentStates } from '#src/domain/credential/state.ts'
import { rowsIn } from '#src/ledger/runs/run-counts.ts'
import type { Database } from '#src/platform/database/database.ts'

/** Failed: the list was refused, or is held by the brake. */
export interface ListPing {
  run: string
  phase: 'taken' | 'sent' | 'failed'
}

/** The others follow in the next round. */
const maxPings = 20

export function listPingStore(db: Database, environment: string) {
  return {
    /**
     * Lists of which the watchdog of their pipeline has not been told how far they are, in the order in which they came.
     * @param since since when there is an address; lists from before this are not reported, whatever was reported of them
     */
    async listsToPing(pipeline: string, since: Date): Promise<ListPing[]> {
      const { rows } = await db.query<ListPing>(
        `SELECT run, phase FROM (
           SELECT id AS run, received_at, ping, CASE WHEN state IN ('refused', 'braked') THEN 'failed'
             WHEN state = 'published' AND ${rowsIn('l.id', unsentStates)} = 0 THEN 'sent'
             ELSE 'taken' END AS phase
           FROM (
             SELECT * FROM run WHERE environment = $1 AND pipeline = $2 AND ping IS NULL AND adopts IS NULL AND corrects IS NULL AND received_at >= $3
             UNION ALL
             SELECT * FROM run WHERE environment = $1 AND pipeline = $2 AND (ping = 'taken' OR (ping = 'failed' AND state <> 'refused')) AND received_at >= $3) l) p
         WHERE ping IS DISTINCT FROM phase ORDER BY received_at, run LIMIT ${maxPings}`,
        [environment, pipeline, since],
      )
      return rows
    },
    async notePing({ run, phase }: ListPing): Promise<void> {
      await db.query('UPDATE run SET ping = $3 WHERE environment = $1 AND id = $2', [environment, run, phase])
    },
  }
}
