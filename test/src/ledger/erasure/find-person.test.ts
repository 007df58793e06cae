// Whom an erasure would be about: what certainly is of one person, and what is only listed.

import { expect, test } from 'vitest'
import { comparisonOf, forget, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, byPrimaryValue, otherCourse, type Recipient } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const identity = ['Employee']
const rule = { ...byPrimaryValue, identity }
const employee = (n: number, more: Recipient = {}) => aRecipient(n, { Employee: '17', ...more })

async function find({ ledger }: TestLedger, issuance: number) {
  const who = { text: `i${issuance}`, issuance, row: null, hashes: [], values: [] }
  const comparison = { identity, occurrence: [], nameFields: ['First Name', 'Last Name'] }
  const [found] = await ledger.erasures.find([who], () => comparison)
  return { ids: found?.ids, leftOut: found?.leftOut.ids }
}

describeWithDatabase('the person of an issuance', () => {
  test('is not another institution’s employee with the same number', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([employee(1)], { rule })
    await testLedger.publish([employee(2)], { rule, pipeline: 'autumn', course: otherCourse })
    expect(await find(testLedger, 1)).toEqual({ ids: [1], leftOut: [2] })
  })

  test('is the employee of another pipeline with the same number and name', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish([employee(1)], { rule })
    const again = employee(2, { 'First Name': 'Ada1' })
    await testLedger.publish([again], { rule, pipeline: 'autumn', course: otherCourse })
    expect(await find(testLedger, 1)).toEqual({ ids: [1, 2], leftOut: [] })
  })
})

const nobody = { issuance: null, row: null, hashes: [], values: [] }
const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', 'no date']
const bea: Person = ['ada@example.org', 'Bea', 'King', 'R2', 'no date']

describeWithDatabase('the person of an invalid row', () => {
  test('has the same row in other lists, and what a list issued since', async () => {
    await using testLedger = await openTestLedger()
    const runs: string[] = []
    for (const list of [[ada, bea], [bea, ada], [[...ada.slice(0, 4), '1990-01-01'] as Person]])
      runs.push((await publish(testLedger, list)).run?.id ?? '')
    const [first = '', second = ''] = runs
    const who = { ...nobody, text: 'a row', row: { run: first, row: 2 } }
    const [found] = await testLedger.ledger.erasures.find([who], comparisonOf())
    expect(found).toMatchObject({
      ids: [1],
      rows: expect.toSatisfy((rows: object[]) => rows.length === 2),
      leftOut: { ids: [], completions: [] },
    })
    expect(found?.rows).toEqual(
      expect.arrayContaining([
        { run: first, row: 2 },
        { run: second, row: 3 },
      ]),
    )
    expect(found?.leftOut.rows).toEqual(
      expect.arrayContaining([
        { run: first, row: 3 },
        { run: second, row: 2 },
      ]),
    )
  })

  test('has copies of the row only in its own course if it has no address or number', async () => {
    await using testLedger = await openTestLedger()
    const unnamed: Person = ['', 'Ada', 'King', '', 'no date']
    const runs: string[] = []
    for (const course of [aCourse, aCourse, otherCourse])
      runs.push((await publish(testLedger, [unnamed], { course })).run?.id ?? '')
    const [first = '', second = '', elsewhere = ''] = runs
    const find = async (run: string) =>
      (await testLedger.ledger.erasures.find([{ ...nobody, text: '', row: { run, row: 2 } }], comparisonOf()))[0]
    const own = [first, second].map((run) => ({ run, row: 2 }))
    expect(await find(first)).toMatchObject({ rows: expect.arrayContaining(own), leftOut: { rows: [] } })
    expect((await find(first))?.rows).toHaveLength(2)
    for (const rows of [own, [{ run: elsewhere, row: 2 }]]) await forget(testLedger, { rows })
    expect((await find(first))?.earlier).toMatchObject({ traces: [1, 2], leftOut: { rows: [{ run: elsewhere }] } })
  })

  test('has no row of a pupil whose teacher or guardian is the person: it is only listed', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const valid: Person = [...ada.slice(0, 4), '1990-01-01'] as Person
    await publish(testLedger, [valid])
    const moreTitles = ['Teacher E-Mail', 'Teacher First', 'Teacher Last']
    const teacher = ['ada@example.org', 'Ada', 'King'] as const
    const pupil: Person = ['bea@example.org', 'Bea', 'Muster', 'R2', 'no date']
    const unnamed: Person = ['', '', '', '', 'no date']
    const rows = [pupil, unnamed, ada].map((row) => [...row, ...teacher] as const)
    const { run } = await publish(testLedger, rows, { moreTitles })
    for (const [learner, [Email, first, last]] of [['7', pupil] as const, ['8', ada] as const]) {
      const own = { Email, 'First Name': first, 'Last Name': last }
      const cells = { ...own, manager_email: teacher[0], manager_first: teacher[1], manager_last: teacher[2] }
      const completion = { learner, course: 'FIRE-1', completedAt: new Date(0), cells }
      await ledger.completions.ingest(
        { system: 'campus', pipeline: 'spring', renewAfterMs: null },
        [completion],
        'poll',
      )
    }
    const ownRow = { run: run?.id, row: 4 }
    const others = [2, 3].map((row) => ({ run: run?.id, row }))
    const expected = { rows: [ownRow], completions: [2], leftOut: { rows: others, completions: [1] } }
    const find = async (comparison: ReturnType<typeof comparisonOf>) =>
      (await ledger.erasures.find([{ ...nobody, text: 'i1', issuance: 1 }], comparison))[0]
    expect(await find(comparisonOf())).toMatchObject(expected)
    // The same by the titles, if the pipeline is no longer configured.
    expect(await find(() => null)).toMatchObject(expected)
    const header = ['Mail', 'Given', 'Family', 'Number', 'Born', 'E-Mail', 'First Name', 'Last Name']
    await database.query('UPDATE run SET header = $2 WHERE id = $1', [
      run?.id,
      JSON.stringify([...header, 'First Name']),
    ])
    expect(await find(() => null)).toMatchObject({ rows: [], leftOut: { rows: [...others, ownRow] } })
  })

  test('is only listed by an address, which may be of several people', async () => {
    await using testLedger = await openTestLedger()
    const { run } = await publish(testLedger, [ada, bea])
    const who = { ...nobody, text: 'ada@example.org', values: ['ada@example.org'] }
    const [found] = await testLedger.ledger.erasures.find([who], comparisonOf())
    const rows = [2, 3].map((row) => ({ run: run?.id, row }))
    expect(found).toMatchObject({ ids: [], rows: [], leftOut: { rows } })
  })
})

describeWithDatabase('what was forgotten before of somebody without an issuance', () => {
  const byAddress = { ...nobody, text: 'ada@example.org', values: ['ada@example.org'] }

  /** Two lists with invalid rows of two people at one address, of whom the first, or both, are forgotten. */
  async function openForgotten(rows: number[]) {
    const testLedger = await openTestLedger()
    const runs: string[] = []
    for (const list of [
      [ada, bea],
      [ada, bea],
    ])
      runs.push((await publish(testLedger, list)).run?.id ?? '')
    for (const row of rows) await forget(testLedger, { rows: runs.map((run) => ({ run, row })) })
    const find = async (who: object) =>
      (await testLedger.ledger.erasures.find([{ ...nobody, text: '', ...who }], comparisonOf()))[0]
    return Object.assign(testLedger, { runs, find, rowsOf: (row: number) => runs.map((run) => ({ run, row })) })
  }
  const inAnyOrder = <Item>(items: readonly Item[]) =>
    expect.toSatisfy(
      (found: Item[]) =>
        found.length === items.length &&
        items.every((item) => found.some((each) => JSON.stringify(each) === JSON.stringify(item))),
    )

  test('is found by an address, and by one of the rows, with the same row of other lists', async () => {
    await using ledger = await openForgotten([2])
    const { find, rowsOf } = ledger
    const { at } = await ledger.queryOne<{ at: Date }>('SELECT requested_at AS at FROM erasure')
    const day = at.toISOString().slice(0, 10)
    const earlier = { rows: inAnyOrder(rowsOf(2)), traces: [1, 2], leftOut: { rows: [], completions: [] }, day }
    expect(await find(byAddress)).toMatchObject({ rows: [], earlier, leftOut: { rows: inAnyOrder(rowsOf(3)) } })
    expect(await find({ row: rowsOf(2)[1] })).toMatchObject({ rows: [], earlier })
  })

  test('is only listed if it may be of two people', async () => {
    await using ledger = await openForgotten([2, 3])
    const { find, rowsOf } = ledger
    const both = { rows: [], traces: [], leftOut: { rows: inAnyOrder([...rowsOf(2), ...rowsOf(3)]) } }
    expect(await find(byAddress)).toMatchObject({ earlier: both })
    expect(await find({ row: rowsOf(3)[0] })).toMatchObject({ earlier: { rows: inAnyOrder(rowsOf(3)) } })
  })

  test('is found by the number of a learner', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await publish(testLedger, [bea])
    const completion = { learner: '77', course: 'FIRE-1', completedAt: new Date(0), cells: { Email: 'x@example.org' } }
    await ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null }, [completion], 'poll')
    await forget(testLedger, { completions: [1] })
    const [found] = await ledger.erasures.find([{ ...nobody, text: '77' }], comparisonOf())
    expect(found).toMatchObject({ completions: [], earlier: { completions: expect.arrayContaining([1]), traces: [1] } })
  })

  test('is only listed by an address that two learners had', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await publish(testLedger, [bea])
    for (const learner of ['77', '78']) {
      const completion = { learner, course: 'FIRE-1', completedAt: new Date(0), cells: { Email: 'ada@example.org' } }
      await ledger.completions.ingest(
        { system: 'campus', pipeline: 'spring', renewAfterMs: null },
        [completion],
        'poll',
      )
    }
    for (const id of [1, 2]) await forget(testLedger, { completions: [id] })
    const [found] = await ledger.erasures.find([byAddress], comparisonOf())
    const leftOut = { rows: [], completions: inAnyOrder([1, 2]) }
    expect(found?.earlier).toMatchObject({ completions: [], traces: [], leftOut })
  })

  test('is released with it, in all lists', async () => {
    await using ledger = await openForgotten([2])
    const { earlier } = (await ledger.find(byAddress)) ?? {}
    await forget(ledger, { rows: earlier?.rows ?? [] }, {}, true)
    const valid: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
    expect((await publish(ledger, [valid])).outcomes).toEqual(['accepted'])
  })
})
