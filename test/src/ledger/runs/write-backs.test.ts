// Which results are written again, and what they show of each row.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { writeBack } from '#jobs/write-back.ts'
import type { Outbox } from '#src/issuing/results/outbox.ts'
import { type ResultRow, requestResultsFor } from '#src/ledger/runs/write-backs.ts'
import { addRun } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aRecipient, recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { openWorld, peopleCsv } from '#test/support/world.ts'

const versionsIn = async ({ database }: TestLedger) =>
  (
    await database.query<{ version: string }>(
      `SELECT source_name || ' ' || written || '/' || wanted AS version FROM write_back w JOIN run ON run.id = w.run_id ORDER BY 1`,
    )
  ).rows.map(({ version }) => version)

describeWithDatabase('the results of a run', () => {
  test('have a version for each request, and are up to date once the last one is written', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const { writeBacks } = ledger
    const [own, other] = [await addRun(database, 'own'), await addRun(database, 'other')]
    for (const run of [own, own, other, other, other]) await writeBacks.want(run)
    expect(await versionsIn(testLedger)).toEqual(['other 0/3', 'own 0/2'])
    expect(await writeBacks.wantedVersion(own)).toBe(2)
    await writeBacks.noteReported(own, 2)
    await writeBacks.noteReported(own, 1)
    expect(await versionsIn(testLedger)).toEqual(['other 0/3', 'own 2/2'])
    expect(await writeBacks.wantedVersion(own)).toBeNull()
    expect(await writeBacks.wantedVersion(other)).toBe(3)
  })

  test('are written again if a row changes after it was written, but before that is recorded', async () => {
    await using world = await openWorld()
    const { app } = world
    const runId = await world.receive('list.csv', peopleCsv(1))
    await intake(app, { runId })
    await app.ledger.writeBacks.want(runId)
    const summarize: Outbox['summarize'] = async (...summary) => {
      await app.database.query(`UPDATE issuance SET state = 'failed'`)
      await requestResultsFor(app.database, [1])
      return app.outbox.summarize(...summary)
    }
    await writeBack({ ...app, outbox: { ...app.outbox, summarize } }, { runId })
    await writeBack(app, { runId })
    const run = await app.ledger.runs.find(runId)
    expect(await readFile(run?.resultsPath ?? '', 'utf8')).toContain(',failed,')
  })

  test('are wanted again for the runs that name an issuance, if they ever were', async () => {
    await using testLedger = await openTestLedger()
    const { database, ledger } = testLedger
    const runs = [
      await testLedger.publish(recipients(2), { name: 'first' }),
      await testLedger.publish([aRecipient(1)], { name: 'again' }),
      await testLedger.publish([aRecipient(2)], { name: 'other' }),
    ]
    await testLedger.publish([aRecipient(1)], { name: 'never' })
    for (const run of runs) await ledger.writeBacks.want(run)
    await requestResultsFor(database, [1])
    expect(await versionsIn(testLedger)).toEqual(['again 0/2', 'first 0/2', 'other 0/1'])
  })

  test('show each row in its place, with its own issuance and what has corrected it', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const own = await testLedger.publish(recipients(3), { more: [aBadRow(9)] })
    const later = await testLedger.publish([aRecipient(1, { Grade: 'A' }), aRecipient(2), aRecipient(4)])
    await testLedger.publish([aRecipient(5)])
    await withoutTriggers(database, 'UPDATE issuance SET corrects = 2 WHERE id = (SELECT max(id) FROM issuance)')
    const last = await testLedger.queryOne<{ id: number }>('SELECT max(id) AS id FROM issuance')
    await withoutTriggers(database, `UPDATE issuance SET reason = 'reason ' || id`)
    const { id } = await testLedger.queryOne<{ id: number }>('SELECT id FROM issuance WHERE run_id = $1', [later])
    await withoutTriggers(database, 'UPDATE issuance SET corrects = 1 WHERE id = $1', [id])
    await withoutTriggers(database, 'UPDATE run_row SET cells = cells WHERE row_number = 2')
    await using unordered = await openUnordered(testLedger)
    const read = async (run: string, outcomes: ResultRow['outcome'][] = ['accepted', 'skipped', 'invalid']) => {
      const found: string[] = []
      await unordered.ledger.writeBacks.readRows(run, outcomes, async (rows) => {
        for (const { row, issuanceId, reason, skipReason } of rows)
          found.push(`${row} ${issuanceId}: ${reason ?? ''}${skipReason?.match(/;.*/)?.[0] ?? ''}`)
      })
      return found
    }
    const corrected = `corrected: replaced by i${id}`
    expect(await read(own)).toEqual([
      `2 1: ${corrected}`,
      `3 2: corrected: replaced by i${last.id}`,
      '4 3: reason 3',
      '9 null: ',
    ])
    expect(await read(own, ['invalid'])).toEqual(['9 null: '])
    expect(await read(later)).toEqual([
      `2 1: ${corrected}; corrected since, as i${id}`,
      `3 2: corrected: replaced by i${last.id}`,
      `4 ${id}: reason ${id}`,
    ])
  })
})
