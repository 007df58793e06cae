// Whom the number of a learner means if two learning systems use it: nobody, unless it is certain that it is one person.

import { expect, test } from 'vitest'
import { comparisonOf, forget, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const nobody = { issuance: null, row: null, hashes: [], values: [] }

describeWithDatabase('the learner of a number that two systems use', () => {
  const born = '1990-01-01'
  const beaKing: Person = ['bea@example.org', 'Bea', 'King', 'R1', born]
  const cyDrake: Person = ['cy@example.org', 'Cy', 'Drake', 'R2', born]

  /** Each system reports a learner with the number 17, and a list has a row for each. */
  async function openTwo(first: Person, second: Person) {
    const testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const { run } = await publish(testLedger, [first, second])
    for (const [n, person] of [first, second].entries()) {
      const [Email, given, family] = person
      const cells = { Email, 'First Name': given, 'Last Name': family }
      const source = { system: ['campus', 'canvas'][n] ?? '', pipeline: 'spring', renewAfterMs: null }
      const completion = { learner: '17', course: 'FIRE-1', completedAt: new Date(0), cells }
      await ledger.completions.ingest(source, [completion], 'poll')
      await database.query(`UPDATE completion SET state = 'taken', run_id = $1, row_number = $2 WHERE id = $3`, [
        ...[run?.id, n + 2, n + 1],
      ])
    }
    const find = async (who: object) =>
      (await ledger.erasures.find([{ ...nobody, text: '17', ...who }], comparisonOf()))[0]
    const inSystem = (system: string) => find({ text: `${system}:17`, learner: { system, learner: '17' } })
    return Object.assign(testLedger, { find, inSystem, run: run?.id })
  }
  const refused = (person: Person): Person => [...person.slice(0, 4), 'no date'] as Person
  const noOne = {
    ...{ ids: [], rows: [], completions: [], leftOut: { ids: [], rows: [], completions: [] } },
    ...{ earlier: { rows: [], completions: [], traces: [] }, ambiguousSystems: ['campus', 'canvas'] },
  }

  test('is not the one who has a credential, unless the system is named', async () => {
    await using ledger = await openTwo(beaKing, refused(cyDrake))
    expect(await ledger.find({})).toMatchObject({ ...noOne, ambiguous: [1] })
    expect(await ledger.inSystem('campus')).toMatchObject({ ids: [1], completions: [1], rows: [] })
    const row = { run: ledger.run, row: 3 }
    expect(await ledger.inSystem('canvas')).toMatchObject({ ids: [], completions: [2], rows: [row] })
  })

  test('is nobody if both were forgotten, so that a release takes one of them only', async () => {
    await using ledger = await openTwo(refused(beaKing), refused(cyDrake))
    for (const id of [1, 2]) await forget(ledger, { completions: [id], rows: [{ run: ledger.run ?? '', row: id + 1 }] })
    expect(await ledger.find({})).toMatchObject({ ...noOne, ambiguous: [] })
    const { earlier } = (await ledger.inSystem('campus')) ?? {}
    expect(earlier).toMatchObject({ completions: expect.arrayContaining([1]), traces: [1] })
    expect(earlier?.completions).not.toContain(2)
    await forget(ledger, { rows: earlier?.rows ?? [], completions: earlier?.completions ?? [] }, {}, true)
    expect((await publish(ledger, [beaKing, cyDrake])).outcomes).toEqual(['accepted', 'forgotten'])
  })

  test('is one person if the name and an address agree', async () => {
    await using ledger = await openTwo(beaKing, refused(beaKing))
    expect(await ledger.find({})).toMatchObject({ ids: [1], completions: [1, 2], rows: [{ row: 3 }], ambiguous: [] })
  })

  test('is not whom a list has under that number', async () => {
    await using ledger = await openTwo(refused(beaKing), refused(cyDrake))
    await ledger.database.query(`UPDATE completion SET system = 'campus', learner = '18' WHERE id = 2`)
    const identity = ['Register Number']
    const asked: Person = ['dan@example.org', 'Dan', 'Webb', '17', born]
    await publish(ledger, [asked], { identity })
    const who = { ...nobody, text: '17', values: ['17'] }
    const [found] = await ledger.ledger.erasures.find([who], comparisonOf({ identity }))
    expect(found).toMatchObject({ ...noOne, ambiguous: [1], ambiguousSystems: ['campus'] })
  })
})
