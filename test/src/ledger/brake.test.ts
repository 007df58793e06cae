// A run that is too large is held, whole, until a person decides; nobody else waits for it.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { BrakeLimits } from '#src/issuance/brake.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, type Recipient, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const ada = { by: 'Ada', why: 'she looked' }

interface List {
  people: readonly Recipient[]
  brake?: BrakeLimits
  sha?: string
  bad?: boolean
}

/** As intake does with a file. */
async function handOver({ ledger }: TestLedger, { people, brake, sha = randomUUID(), bad }: List) {
  const file = { pipeline: 'spring', sourceName: 'list.csv', sourcePath: '/list.csv', sourceSha256: sha }
  const { run, resumed } = await ledger.receiveRun(file)
  await ledger.clearStaged(run.id)
  const rows = people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher))
  if (bad) rows.push(aBadRow(rows.length + 2))
  await ledger.stageRows(run.id, rows)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['a'], notices: [], brake }
  return { id: run.id, resumed, published: await ledger.publishRun(run.id, publication, rows.length) }
}

const issuances = (ledger: TestLedger) => ledger.states().then((states) => states.length)

describeWithDatabase('a run that is too large', () => {
  test('is braked: nothing of it is issued, kept or counted, but what it would have been', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const people = [...recipients(6), aRecipient(6), aRecipient(7), aRecipient(7, { 'First Name': 'Bea' })]
    const { id, published } = await handOver(ledger, { people, brake: { rows: 3 }, bad: true })
    expect(published).toBe(false)
    // Of the ten rows one is bad, two contradict each other, two are known, and one comes twice.
    expect(await ledger.ledger.findRun(id)).toMatchObject({
      state: 'braked',
      brake: { accepted: 4, usual: null, because: '4 rows would be issued, more than the 3 of brake.rows.' },
      ...{ rows: 0, accepted: 0, readRows: 10, settledAt: null, approval: null },
    })
    expect(await issuances(ledger)).toBe(2)
    const left =
      'SELECT (SELECT count(*) FROM staged_row) AS staged, (SELECT count(*) FROM run_row WHERE run_id = $1) AS rows'
    expect(await ledger.one(left, [id])).toEqual({ staged: 0, rows: 0 })
  })

  test('is no work for anybody, never settles, and keeps no other run from going on', async () => {
    await using ledger = await openTestLedger()
    const { id } = await handOver(ledger, { people: recipients(5), brake: { rows: 3 } })
    expect(await ledger.ledger.takeRunsToRead()).toEqual([])
    await ledger.ledger.forgetAsked()
    expect(await ledger.ledger.takeRunsToRead()).toEqual([])
    expect(await ledger.ledger.settleRuns()).toEqual([])
    const other = await handOver(ledger, { people: recipients(3), brake: { rows: 3 } })
    expect(other.published).toBe(true)
    expect(await ledger.ledger.findRun(id)).toMatchObject({ state: 'braked', settledAt: null })
  })

  test('is the same run when its file is handed over again, and is read where that is now', async () => {
    await using ledger = await openTestLedger()
    const { id } = await handOver(ledger, { people: recipients(5), brake: { rows: 3 }, sha: 'same' })
    const moved = { pipeline: 'spring', sourceName: 'b.csv', sourcePath: '/b.csv', sourceSha256: 'same' }
    const again = await ledger.ledger.receiveRun(moved)
    expect(again).toMatchObject({ resumed: true, run: { id, state: 'braked' } })
    expect(await ledger.ledger.findRun(id)).toMatchObject({ sourcePath: '/b.csv', sourceName: 'b.csv' })
  })

  test('goes on whatever its size once it is approved, and who approved it and why is kept', async () => {
    await using ledger = await openTestLedger()
    const list = { people: recipients(5), brake: { rows: 3 }, sha: 'same' }
    const { id } = await handOver(ledger, list)
    expect(await ledger.ledger.approveRun(id, ada)).toBe(true)
    expect(await ledger.ledger.findRun(id)).toMatchObject({ state: 'received', approval: ada })
    expect(await ledger.ledger.takeRunsToRead()).toEqual([id])
    expect(await handOver(ledger, list)).toEqual({ id, resumed: true, published: true })
    expect(await ledger.ledger.findRun(id)).toMatchObject({ state: 'published', accepted: 5, approval: ada })
    expect(await issuances(ledger)).toBe(5)
  })

  test('is refused once it is rejected, with who and why, and its file can be handed over anew', async () => {
    await using ledger = await openTestLedger()
    const list = { people: recipients(5), brake: { rows: 3 }, sha: 'same' }
    const { id } = await handOver(ledger, list)
    expect(await ledger.ledger.rejectRun(id, ada)).toBe(true)
    const refusal = 'rejected by Ada: she looked'
    expect(await ledger.ledger.findRun(id)).toMatchObject({ state: 'refused', refusal, settledAt: expect.any(Date) })
    const kept = 'SELECT rejected_by AS by, rejected_why AS why, rejected_at IS NOT NULL AS dated FROM run'
    expect(await ledger.one(kept)).toEqual({ ...ada, dated: true })
    expect(await handOver(ledger, list)).toMatchObject({ resumed: false, published: false })
  })

  test('is decided once, by one, and in its own environment', async () => {
    await using ledger = await openTestLedger()
    const { id } = await handOver(ledger, { people: recipients(5), brake: { rows: 3 } })
    const production = await openLedger(ledger.database, 'production')
    expect(await production.approveRun(id, ada)).toBe(false)
    expect(await production.runsNamed(id)).toEqual([])
    const verbs = [ledger.ledger.approveRun, ledger.ledger.rejectRun, ledger.ledger.approveRun]
    const decided = await Promise.all(verbs.map((decide) => decide(id, ada)))
    expect(decided.filter(Boolean)).toHaveLength(1)
    expect(await ledger.ledger.rejectRun(id, ada)).toBe(false)
  })
})

describeWithDatabase('the usual size', () => {
  test('is the median of the last ten runs that issued anybody, and is said to be missing before the third', async () => {
    await using ledger = await openTestLedger()
    let next = 100
    const of = (count: number) => {
      next += 100
      return recipients(count, next)
    }
    const brake = { percent: 50 }
    const first = await handOver(ledger, { people: of(40), brake })
    const { notices } = (await ledger.ledger.findRun(first.id)) ?? {}
    expect(notices).toEqual([expect.stringContaining('there are 0')])
    // Ten of 20, with lists of nobody new between them: the forty are forgotten by then.
    for (let at = 0; at < 10; at++) {
      await ledger.publish(of(20))
      await ledger.publish([])
    }
    const inside = await handOver(ledger, { people: of(30), brake })
    expect(inside.published).toBe(true)
    expect((await ledger.ledger.findRun(inside.id))?.notices).toEqual([])
    const above = await handOver(ledger, { people: of(31), brake })
    expect((await ledger.ledger.findRun(above.id))?.brake).toEqual({
      accepted: 31,
      usual: 20,
      because: '31 rows would be issued, more than 50 % above the usual 20.',
    })
  })
})

describeWithDatabase('a run', () => {
  test('is found by its id or at least eight characters of its beginning, and several by what they share', async () => {
    await using ledger = await openTestLedger()
    const ids = [
      'aaaaaaaa-1111-4000-8000-000000000000',
      'aaaaaaaa-2222-4000-8000-000000000000',
      'bbbbbbbb-0000-4000-8000-000000000000',
    ]
    for (const id of ids)
      await ledger.database.query(
        `INSERT INTO run (id, environment, pipeline, source_name, source_path, source_sha256) VALUES ($1, 'development', 'spring', 'a', '/a', 'a')`,
        [id],
      )
    const named = (text: string) => ledger.ledger.runsNamed(text)
    expect(await named(ids[0] as string)).toEqual([ids[0]])
    expect(await named('BBBBBBBB')).toEqual([ids[2]])
    expect(await named('aaaaaaaa')).toEqual(ids.slice(0, 2))
    expect(await named('aaaaaaaa-2')).toEqual([ids[1]])
    for (const text of ['bbbbbbb', 'nope', '', '%', 'bbbbbbbb%', `${ids[2]}0`]) expect(await named(text)).toEqual([])
  })
})
