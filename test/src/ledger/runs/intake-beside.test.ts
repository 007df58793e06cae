// A list that is read or published beside others, and while something else happens to it.

import { expect, test } from 'vitest'
import { publication } from '#test/guarantees/interleavings/scene.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, aStagedRow, type Recipient } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { untilLocksWait } from '#test/support/until-locks-wait.ts'

async function stage({ ledger }: TestLedger, name: string, person: Recipient): Promise<string> {
  const source = { pipeline: 'spring', sourceName: name, sourcePath: name, sourceSha256: name }
  const { run } = await ledger.runs.receive(source)
  await ledger.intake.stage(run.id, [aStagedRow(2, person, ledger.hasher)])
  return run.id
}

const stateOf = async ({ ledger }: TestLedger, run: string) => (await ledger.runs.find(run))?.state

describeWithDatabase('a list', () => {
  test('is read from its beginning again, and no other', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const runs = [await stage(testLedger, 'a', aRecipient(1)), await stage(testLedger, 'b', aRecipient(2))]
    runs.push(await addRun(database, 'published', { read_rows: 1 }))
    for (const run of [runs[0], runs[2]]) await ledger.intake.clear(run as string)
    const { rows } = await database.query<{ id: string }>('SELECT id FROM run WHERE read_rows = 1')
    expect(rows.map(({ id }) => id).sort()).toEqual(runs.slice(1).sort())
    expect((await database.query('SELECT run_id AS id FROM staged_row')).rows).toEqual([{ id: runs[1] }])
  })

  test('is not published if it is refused at the same time', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await stage(testLedger, 'a', aRecipient(1))
    let publishing: Promise<boolean> | null = null
    await database.transaction(async (sql) => {
      await sql.query(`UPDATE run SET state = 'refused', refusal = 'No.' WHERE id = $1`, [run])
      publishing = ledger.intake.publish(run, publication, 1)
      await untilLocksWait(database, 1)
    })
    expect(await publishing).toBe(false)
    expect(await stateOf(testLedger, run)).toBe('refused')
  })

  test('is compared with another one of its course that is published at the same time', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const runs = [
      await stage(testLedger, 'a', aRecipient(1)),
      await stage(testLedger, 'b', aRecipient(1, { 'Contact Number': '030 7770', 'Primary Value': 'Contact Number' })),
    ]
    const publishing: Promise<boolean>[] = []
    await database.transaction(async (sql) => {
      await sql.query('LOCK TABLE run_row IN SHARE MODE')
      for (const run of runs)
        publishing.push(ledger.intake.publish(run, { ...publication, primaryVaries: { occurrence: [] } }, 1))
      await untilLocksWait(database, 2)
    })
    expect(await Promise.all(publishing)).toEqual([true, true])
    expect(await testLedger.states()).toEqual(['pending'])
  })
})
