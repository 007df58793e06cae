// The real ledger on a virtual clock: functions of our own stand before PostgreSQL's clock_timestamp() and statement_timestamp(). Shifting timestamps back, as
// test/support/ledger.ts does, would let days end at another hour than on the twin's clock, and midnight would decide the test.

import { type Database, openDatabase } from '#src/database/database.ts'
import { type Ledger, openLedger } from '#src/ledger/ledger.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { emptyDatabase } from '#test/support/database.ts'
import { noteIds, type SharedClock, type Side, type Standing } from './side.ts'
import { standingSql } from './standing-sql.ts'

export interface RealHouse extends AsyncDisposable {
  /** A ledger of its own, as an environment of its own: nothing can be emptied, for a ledger forgets nothing. */
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

export async function openRealHouse(hashKey: Buffer): Promise<RealHouse> {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await emptyDatabase())
  const onOurClock = new URL(url)
  onOurClock.searchParams.set('options', '-c search_path=credsync,pg_catalog -c synchronous_commit=off')
  const database = stack.use(openDatabase(onOurClock.href))
  await migrate(database, hashKey)
  await database.query(virtualClockSql)
  const closing = stack.move()
  let sides = 0
  return {
    side: (clock) => realSide(database, clock, `house-${++sides}`),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

async function realSide(database: Database, clock: SharedClock, environment: string): Promise<Side> {
  const setClock = async () => void (await database.query('UPDATE virtual_clock SET at = $1', [clock.now()]))
  await setClock()
  const side: Side = {
    ledger: ticking(database, await openLedger(database, environment)),
    clock,
    runs: [],
    issuances: [],
    attempts: [],
    scans: [],
    braked: [],
    setClock,
    async standing() {
      const { rows } = await database.query<{ standing: Standing }>(standingSql, [environment])
      const standing = rows[0]?.standing as Standing
      noteIds(side, standing)
      return standing
    },
  }
  return side
}

/** A microsecond passes before each verb, as on the twin's clock: what one verb wrote is earlier than what the next one writes. */
function ticking(database: Database, ledger: Ledger): Ledger {
  const tick = () => database.query(`UPDATE virtual_clock SET at = at + interval '1 microsecond'`)
  return new Proxy(ledger, {
    get(from, name) {
      const verb = Reflect.get(from, name)
      if (typeof verb !== 'function') return verb
      return async (...given: unknown[]) => {
        await tick()
        return Reflect.apply(verb, from, given)
      }
    },
  })
}
