// The planner's samples of personal columns go, on servers with and without a function for it, and other samples stay.

import { expect, test } from 'vitest'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** A ledger with samples of everything, as it was before statistics were off. */
async function sampledLedger(): Promise<TestLedger> {
  const scene = await openTestLedger()
  await scene.publish(recipients(30))
  await scene.database.query('ALTER TABLE issuance ALTER COLUMN recipient SET STATISTICS -1')
  await scene.database.query('ALTER TABLE run_row ALTER COLUMN cells SET STATISTICS -1')
  await scene.database.query('ANALYZE')
  await scene.database.query('ALTER TABLE issuance ALTER COLUMN recipient SET STATISTICS 0')
  await scene.database.query('ALTER TABLE run_row ALTER COLUMN cells SET STATISTICS 0')
  return scene
}

async function samplesOf({ database }: TestLedger): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>(
    `SELECT tablename || '.' || attname AS name FROM pg_stats
     WHERE schemaname = 'credsync' AND (tablename, attname) IN (('issuance', 'recipient'), ('run_row', 'cells'), ('issuance', 'state')) ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

async function removeSamples({ database }: TestLedger): Promise<string[]> {
  const { rows } = await database.query<{ name: string }>('SELECT remove_samples() AS name')
  return rows.map(({ name }) => name)
}

/** Makes the server one of a version that cannot clear statistics, unless it is one. */
const withoutFunction = ({ url }: TestLedger) =>
  onServer(
    `DO $$ BEGIN IF to_regproc('pg_clear_attribute_stats') IS NOT NULL THEN
       ALTER FUNCTION pg_catalog.pg_clear_attribute_stats(text, text, text, boolean) RENAME TO pg_clear_attribute_stats_before;
     END IF; END $$`,
    url,
  )

describeWithDatabase('samples of personal data', () => {
  test.each(['with', 'without'])('go from a server %s a function for it', async (kind) => {
    await using scene = await sampledLedger()
    if (kind === 'without') await withoutFunction(scene)
    expect(await samplesOf(scene)).toEqual(['issuance.recipient', 'issuance.state', 'run_row.cells'])
    expect(await removeSamples(scene)).toEqual([])
    expect(await samplesOf(scene)).toEqual(['issuance.state'])
    await scene.database.query('ANALYZE')
    expect(await samplesOf(scene)).toEqual(['issuance.state'])
  })

  test('are named where a view keeps them on an older server, and the others go', async () => {
    await using scene = await sampledLedger()
    await withoutFunction(scene)
    await scene.database.query('CREATE VIEW public.who AS SELECT recipient FROM credsync.issuance')
    expect(await removeSamples(scene)).toEqual(['issuance.recipient'])
    expect(await samplesOf(scene)).toEqual(['issuance.recipient', 'issuance.state'])
  })
})
