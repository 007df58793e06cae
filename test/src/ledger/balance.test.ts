// The sums hold at every instant, for whoever looks, and the database refuses a ledger in which they would not.

import { expect, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { totalOf } from '#src/issuance/state.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { aBadRow, aRecipient, aStagedRow, type Recipient, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const publication = { courseUuid: '11111111-1111-4111-8111-111111111111', format: 'csv', header: ['a'], notices: [] }

async function stage({ ledger }: TestLedger, people: readonly Recipient[], sha = 'sha') {
  const file = { pipeline: 'spring', sourceName: `${sha}.csv`, sourcePath: '/a.csv', sourceSha256: sha }
  const { run } = await ledger.receiveRun(file)
  await ledger.clearStaged(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher))
  await ledger.stageRows(run.id, rows)
  return { runId: run.id, rows }
}

/** Looks from a connection of its own before `work`, without a pause while it is done, and once more at its end. */
async function watching<Look>(
  of: TestLedger,
  work: () => Promise<unknown>,
  look: (ledger: TestLedger['ledger']) => Promise<Look>,
): Promise<Look[]> {
  await using other = openDatabase(of.url)
  const ledger = await openLedger(other, 'development')
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
  test('is nothing or everything for whoever looks while it is published', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(5_000))
    const work = () => ledger.ledger.publishRun(runId, publication, 5_000)
    const seen = await watching(ledger, work, async (from) => {
      const now = await from.runWithStates(runId)
      if (!now) throw new Error('The run is gone.')
      const { rows, invalid, skipped, accepted } = now.run
      expect(invalid + skipped + accepted).toBe(rows)
      expect(totalOf(now.states)).toBe(accepted)
      return accepted
    })
    expect(new Set(seen)).toEqual(new Set([0, 5_000]))
  })

  test('holds while batches are sent, answered, lost and found', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish([...recipients(60), aRecipient(1)], { more: [aBadRow(100)] })
    const work = async () => {
      const classes = ['accepted', 'unknown', 'refused', 'throttled', 'not_sent', 'too_large'] as const
      for (const each of classes) await ledger.answer(await ledger.send(10), { class: each })
      await ledger.scan()
    }
    const seen = await watching(ledger, work, async (from) => {
      const now = await from.runWithStates(runId)
      expect(now && totalOf(now.states)).toBe(60)
      expect(now?.run).toMatchObject({ rows: 62, invalid: 1, skipped: 1, accepted: 60 })
      return JSON.stringify(now?.states)
    })
    expect(new Set(seen).size).toBeGreaterThan(1)
  })

  test('cannot be falsified: false sums and false counts are refused', async () => {
    await using ledger = await openTestLedger()
    const runId = await ledger.publish(recipients(3))
    const falsify = (set: string) => ledger.database.query(`UPDATE run SET ${set} WHERE id = $1`, [runId])
    await expect(falsify('rows = 4')).rejects.toThrow('check constraint')
    await expect(falsify('invalid = 1')).rejects.toThrow('check constraint')
    await expect(falsify('rows = 4, accepted = 4')).rejects.toThrow('says 4 accepted, the ledger holds 3')
    await expect(falsify('rows = 2, accepted = 2')).rejects.toThrow('says 2 accepted, the ledger holds 3')
    await expect(falsify('accepted = 2, skipped = 1')).rejects.toThrow('says 2 accepted, the ledger holds 3')
  })

  test('counts what was read: rows that were not staged are not published', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(3))
    await expect(ledger.ledger.publishRun(runId, publication, 4)).rejects.toThrow('read 4 rows and staged 3')
    expect(await ledger.states()).toEqual([])
    expect(await ledger.ledger.findRun(runId)).toMatchObject({ state: 'received', rows: 0 })
  })

  test('does not double when a reading died halfway and starts again', async () => {
    await using ledger = await openTestLedger()
    const { runId, rows } = await stage(ledger, recipients(3))
    await expect(ledger.ledger.stageRows(runId, rows.slice(0, 1))).rejects.toThrow('staged_row_pkey')
    expect((await stage(ledger, recipients(3))).runId).toBe(runId)
    expect(await ledger.ledger.findRun(runId)).toMatchObject({ readRows: 3 })
    expect(await ledger.ledger.publishRun(runId, publication, 3)).toBe(true)
    expect(await ledger.ledger.findRun(runId)).toMatchObject({ rows: 3, accepted: 3 })
  })

  test('does not double when a run is published twice, one after the other or at once', async () => {
    await using ledger = await openTestLedger()
    const { runId } = await stage(ledger, recipients(3))
    const tries = Array.from({ length: 5 }, () => ledger.ledger.publishRun(runId, publication, 3))
    expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
    expect(await ledger.ledger.publishRun(runId, publication, 3)).toBe(false)
    expect(await ledger.states()).toHaveLength(3)
  })

  test('holds for two files with the same people in opposite order that are published at once', async () => {
    await using ledger = await openTestLedger()
    const people = recipients(6_000)
    const files = [await stage(ledger, people, 'up'), await stage(ledger, people.toReversed(), 'down')]
    await Promise.all(files.map(({ runId }) => ledger.ledger.publishRun(runId, publication, 6_000)))
    const runs = await ledger.ledger.listRuns()
    expect(runs.map((run) => run.rows)).toEqual([6_000, 6_000])
    expect(runs.reduce((sum, run) => sum + run.accepted, 0)).toBe(6_000)
    expect(await ledger.states()).toHaveLength(6_000)
  })
})
