// What the console reads and keeps in the ledger, and the lists that people issue in it. Reads and writes the database.

import { type NewRun, type Run, receiveRun, unfinishedRun } from '#src/ledger/runs/runs.ts'
import type { Database } from '#src/platform/database/database.ts'
import { consoleActStore, issuedAct, noteAct } from './activity-log.ts'
import { consolePersonStore } from './local-users.ts'
import { consoleReadingStore } from './overview.ts'
import { runPageStore } from './run-pages.ts'
import { consoleSessionStore } from './sessions.ts'

export const consoleStores = (db: Database, { environment }: { environment: string }) => ({
  consolePeople: consolePersonStore(db, environment),
  consoleSessions: consoleSessionStore(db, environment),
  consoleActs: consoleActStore(db, environment),
  consoleReadings: consoleReadingStore(db, environment),
  issuedLists: issuedListStore(db, environment),
  runPages: runPageStore(db, environment),
})

/**
 * Lists that people issue in the console. The run of a list and who issued it are recorded in one transaction, so that
 * every issued list has somebody who issued it, and none is mistaken for one that was not issued.
 */
function issuedListStore(db: Database, environment: string) {
  return {
    /**
     * Hands over a list that was uploaded. If an unfinished run has the same content and pipeline, nothing is done
     * (`resumed`): that run issues nothing that it would not have issued anyway.
     * @throws the database's error if it was handed over before
     */
    receive(
      source: NewRun,
      { upload, by }: { upload: string; by: string },
      now: Date,
    ): Promise<{ run: Run; resumed: boolean }> {
      return db.transaction(async (sql) => {
        const run = await unfinishedRun(sql, environment, source)
        if (run) return { run, resumed: true }
        const received = await receiveRun(sql, environment, source)
        await noteAct(sql, environment, { by, act: issuedAct, run: received.run.id, detail: upload }, now)
        return received
      })
    },
    /** The unfinished run of the same content and pipeline; null if there is none. */
    unfinished: (source: Pick<NewRun, 'pipeline' | 'sourceSha256'>): Promise<Run | null> =>
      unfinishedRun(db, environment, source),
    /** The id of the run that an uploaded list was handed over to, in any environment; null if it was not issued. */
    async runOf(upload: string): Promise<string | null> {
      const { rows } = await db.query<{ run: string }>(
        `SELECT run_id AS run FROM console_act WHERE act = '${issuedAct}' AND detail = $1`,
        [upload],
      )
      return rows[0]?.run ?? null
    },
  }
}
