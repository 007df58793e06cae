// The metrics of one environment, in a ledger that has others: what is due, open or late there never shows here.

import { expect, test } from 'vitest'
import { readWholeMetrics } from '#src/app/whole-metrics.ts'
import { createCopy, toEnvironment } from '#test/guarantees/effects/copies.ts'
import { buildScene } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const times = [
  ...['started_at', 'ended_at', 'shown_at', 'wanted_at', 'due_at', 'polled_at', 'state_since', 'published_at'],
  ...['failing_since', 'looked_since', 'settled_at'],
]

/** Copies of everything, with all times a day earlier, and then of all that with all times a day later. */
const copies = [
  { name: 'earlier', ids: 1_000_000, runs: { character: 'f', at: 20 }, shift: `- interval '1 day'` },
  { name: 'later', ids: 2_000_000, runs: { character: 'e', at: 15 }, shift: `+ interval '1 day'` },
].map(({ shift, ...copy }) => ({
  ...toEnvironment(''),
  ...copy,
  columns: {
    environment: `% || ' ${copy.name}'`,
    ...Object.fromEntries(times.map((column) => [column, `% ${shift}`])),
  },
}))

/** Without the order of its lists, which means nothing; ages are compared to a minute. */
function comparable(value: unknown, key = ''): unknown {
  if (typeof value === 'number' && key.endsWith('S')) return expect.closeTo(value, -2)
  if (Array.isArray(value)) return new Set(value.map((each) => comparable(each)))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, comparable(each, name)]))
}

const withSets = (value: unknown): unknown => {
  if (Array.isArray(value)) return new Set(value.map(withSets))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSets(each)]))
}

describeWithDatabase('the metrics of an environment', () => {
  test('stay the same, whatever there is in others', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const of = (environment: string) => readWholeMetrics(database, environment)
    const ofNone = await of('new')
    await buildScene(testLedger)
    await testLedger.scan()
    await testLedger.ledger.courses.pause(aCourse, 'not approved', 86_400_000)
    await database.query(
      `INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT environment, 'more', id FROM issuance WHERE id = 1`,
    )
    await database.query(
      `UPDATE claim_counter SET stopped = true; UPDATE write_back SET wanted = written + 1;
       INSERT INTO credential_watch AS w (environment, due_at, ended_at, looked_since) VALUES ('development', now(), now(), now())
       ON CONFLICT (environment) DO UPDATE SET ended_at = now(), looked_since = now()`,
    )
    const before = await of('development')
    await database.query('CREATE SCHEMA kept')
    for (const copy of copies) {
      await createCopy(database, copy)
      await database.query(`SELECT kept.${copy.name}()`)
    }
    expect(withSets(await of('development'))).toEqual(comparable(before))
    expect(withSets(await of('new'))).toEqual(comparable(ofNone))
  })
})
