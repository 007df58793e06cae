// The real ledger on a virtual clock: functions of the test replace PostgreSQL's clock_timestamp() and
// statement_timestamp(). Moving timestamps back, as test/support/test-ledger.ts does, would make days end at another
// hour than on the twin's clock, so that midnight would change the result.

import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { emptyDatabase } from '#test/support/database.ts'
import { fullStateSql } from './full-state-sql.ts'
import { type FullState, noteIds, type SharedClock, type Side } from './side.ts'

export interface RealLedgers extends AsyncDisposable {
  /** Each sequence gets its own environment, because a ledger cannot be emptied. */
  side(clock: SharedClock): Promise<Side>
}

const virtualClockSql = `
  CREATE TABLE virtual_clock (at timestamptz NOT NULL);
  INSERT INTO virtual_clock VALUES ('2026-03-01');
  CREATE FUNCTION credsync.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT at FROM credsync.virtual_clock';
  CREATE FUNCTION credsync.statement_timestamp() RETURNS timestamptz LANGUAGE sql STABLE AS 'SELECT at FROM credsync.virtual_clock';
  DO $$
  DECLARE c record;
  BEGIN
    FOR c IN SELECT table_name AS tab, column_name AS col FROM information_schema.columns
             WHERE table_schema = 'credsync' AND column_default LIKE '%clock_timestamp()' LOOP
      EXECUTE format('ALTER TABLE %I ALTER COLUMN %I SET DEFAULT credsync.clock_timestamp()', c.tab, c.col);
    END LOOP;
  END $$`

export async function openRealLedgers(hashKey: Buffer): Promise<RealLedgers> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await emptyDatabase())
  const clockedUrl = new URL(url)
  clockedUrl.searchParams.set('options', '-c search_path=credsync,pg_catalog -c synchronous_commit=off')
  const database = stack.use(openDatabase(clockedUrl.href))
  await migrate(database, hashKey)
  await database.query(virtualClockSql)
  const closing = stack.move()
  let sides = 0
  return {
    side: (clock) => realSide(database, clock, `sequence-${++sides}`),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function realSide(database: Database, clock: SharedClock, environment: string): Promise<Side> {
  const setClock = async () => void (await database.query('UPDATE virtual_clock SET at = $1', [clock.now()]))
  await setClock()
  const side: Side = {
    ledger: ticking(database, await openWholeLedger(database, environment)),
    clock,
    runs: [],
    sendingClaims: new Map(),
    issuances: [],
    attempts: [],
    scans: [],
    braked: [],
    setClock,
    async fullState() {
      const { rows } = await database.query<{ full_state: FullState }>(fullStateSql, [environment])
      const state = rows[0]?.full_state as FullState
      noteIds(side, state)
      return state
    },
  }
  return side
}

/** A microsecond passes before each verb, as on the twin's clock, so that writes of consecutive verbs are ordered. */
function ticking(database: Database, ledger: WholeLedger): WholeLedger {
  const tick = () => database.query(`UPDATE virtual_clock SET at = at + interval '1 microsecond'`)
  return new Proxy(ledger, {
    get(from, name) {
      const verb = Reflect.get(from, name)
      if (typeof verb !== 'function') return verb
      return async (...args: unknown[]) => {
        await tick()
        return Reflect.apply(verb, from, args)
      }
    },
  })
}
