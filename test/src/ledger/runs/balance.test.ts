// The totals of a run are consistent for every reader at any time, and the database refuses changes that would make
// them inconsistent.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { totalOf } from '#src/domain/credential/state.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aRecipient, aStagedRow, type Recipient, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const publication = { courseUuid: '11111111-1111-4111-8111-111111111111', format: 'csv', header: ['a'], notices: [] }

async function stage({ ledger }: TestLedger, people: readonly Recipient[], sha = 'sha') {
  const file = { pipeline: 'spring', sourceName: `${sha}.csv`, sourcePath: '/a.csv', sourceSha256: sha }
  const { run } = await ledger.runs.receive(file)
  await ledger.intake.clear(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher))
  await ledger.intake.stage(run.id, rows)
  return { runId: run.id, rows }
}

/** Calls `look` on a separate connection before `work`, continuously while it runs, and once after it. */
async function watching<Look>(
  testLedger: TestLedger,
  work: () => Promise<unknown>,
  look: (ledger: TestLedger['ledger']) => Promise<Look>,
): Promise<Look[]> {
  await using other = openDatabase(testLedger.url)
  const ledger = await openWholeLedger(other, 'development')
  const seen = [await look(ledger)]
  let working = true
  const ended = work().finally(() => {
    working = false
  })
  while (working) seen.push(await look(ledger))
  await ended
  return [...seen, await look(ledger)]
}

describeWithDatabase('the balance of a run', () => {
  test('changes from nothing to the complete run for every reader when the run is published', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(5_000))
    const work = () => ledger.ledger.intake.publish(runId, publication, 5_000)
    const seen = await watching(ledger, work, async (from) => {
      const now = await from.runs.withStates(runId)
      if (!now) throw new Error('The run is gone.')
      const { rows, invalid, skipped, accepted } = now.run
      expect(invalid + skipped + accepted).toBe(rows)
      expect(totalOf(now.states)).toBe(accepted)
      return accepted
    })
    expect(new Set(seen)).toEqual(new Set([0, 5_000]))
  })

  test('holds while batches are sent and get every kind of outcome', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish([...recipients(60), aRecipient(1)], { more: [aBadRow(100)] })
    const work = async () => {
      const classes = ['accepted', 'unknown', 'refused', 'throttled', 'not_sent', 'too_large'] as const
      for (const kind of classes) await ledger.answer(await ledger.send(10), { class: kind })
      await ledger.scan()
    }
    const seen = await watching(ledger, work, async (from) => {
      const now = await from.runs.withStates(runId)
      expect(now && totalOf(now.states)).toBe(60)
      expect(now?.run).toMatchObject({ rows: 62, invalid: 1, skipped: 1, accepted: 60 })
      return JSON.stringify(now?.states)
    })
    expect(new Set(seen).size).toBeGreaterThan(1)
  })

  test('is enforced: wrong totals and wrong counts are refused', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(3))
    const falsify = (set: string) => ledger.database.query(`UPDATE run SET ${set} WHERE id = $1`, [runId])
    await expect(falsify('rows = 4')).rejects.toThrow('check constraint')
    await expect(falsify('invalid = 1')).rejects.toThrow('check constraint')
    await expect(falsify('rows = 4, accepted = 4')).rejects.toThrow('says 4 accepted, the ledger holds 3')
    await expect(falsify('rows = 2, accepted = 2')).rejects.toThrow('says 2 accepted, the ledger holds 3')
    await expect(falsify('accepted = 2, skipped = 1')).rejects.toThrow('says 2 accepted, the ledger holds 3')
  })

  test('includes every row that was read: a run with rows that were not staged is not published', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(3))
    await expect(ledger.ledger.intake.publish(runId, publication, 4)).rejects.toThrow('read 4 rows but staged 3')
    expect(await ledger.states()).toEqual([])
    expect(await ledger.ledger.runs.find(runId)).toMatchObject({ state: 'received', rows: 0 })
  })

  test('counts no row twice if a reading failed halfway and starts again', async () => {
    await using ledger = await openTestLedger()
    const { runId, rows } = await stage(ledger, recipients(3))
    await expect(ledger.ledger.intake.stage(runId, rows.slice(0, 1))).rejects.toThrow('staged_row_pkey')
    expect((await stage(ledger, recipients(3))).runId).toBe(runId)
    expect(await ledger.ledger.runs.find(runId)).toMatchObject({ readRows: 3 })
    expect(await ledger.ledger.intake.publish(runId, publication, 3)).toBe(true)
    expect(await ledger.ledger.runs.find(runId)).toMatchObject({ rows: 3, accepted: 3 })
  })

  test('counts no row twice if a run is published twice, sequentially or concurrently', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(3))
    const tries = Array.from({ length: 5 }, () => ledger.ledger.intake.publish(runId, publication, 3))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await ledger.ledger.intake.publish(runId, publication, 3)).toBe(false)
    expect(await ledger.states()).toHaveLength(3)
  })

  test('holds for two files with the same people in opposite order that are published concurrently', async () => {
    await using ledger = await openTestLedger()
    const people = recipients(6_000)
    const files = [await stage(ledger, people, 'up'), await stage(ledger, people.toReversed(), 'down')]
    await Promise.all(files.map(({ runId }) => ledger.ledger.intake.publish(runId, publication, 6_000)))
    const runs = await ledger.ledger.runs.list()
    expect(runs.map((run) => run.rows)).toEqual([6_000, 6_000])
    expect(runs.reduce((sum, run) => sum + run.accepted, 0)).toBe(6_000)
    expect(await ledger.states()).toHaveLength(6_000)
  })
})
