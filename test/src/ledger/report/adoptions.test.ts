// Adoptions: what the ledger knows about a course and its people, and which of its rows take over an item of the report.

import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import { type AdoptionBatch, AdoptionOvertakenError } from '#src/ledger/report/adoptions.ts'
import type { Database } from '#src/platform/database/database.ts'
import { adoptedItem, keyOf, nothingNew } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const welding = { pipeline: 'spring', course: aCourse, certificateName: 'Welding' }
const nothing: AdoptionBatch = { fresh: [], waiting: [], recounted: [], extraItems: [] }
const noSubjects = { issuanceKeys: [], itemKeys: [], hashes: [] }

const writeBatch = (ledger: WholeLedger, batch: Partial<AdoptionBatch>, scope = welding) =>
  ledger.adoptions.write(scope, noSubjects, () => ({ batch: { ...nothing, ...batch } }))

const issuanceKeyOf = ({ ledger }: Pick<TestLedger, 'ledger'>, person: number) =>
  aStagedRow(2, aRecipient(person), ledger.hasher).issuanceKey as Buffer

/**
 * Rows of the same two people: 1 and 2 here, 3 and 4 in another course, and 5 and 6 in another environment. Person 3 is
 * known only in the other course (row 7), and person 4 only in the other environment (row 8).
 */
async function openCrowded() {
  const testLedger = await openTestLedger()
  const production = await openWholeLedger(testLedger.database, 'production')
  await testLedger.publish(recipients(2))
  await testLedger.publish(recipients(2), { course: otherCourse })
  await publish(production, recipients(2))
  await testLedger.publish(recipients(1, 3), { course: otherCourse })
  await publish(production, recipients(1, 4))
  for (const [id, person] of [[7, 3] as const, [8, 4] as const])
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET issuance_key = $2 WHERE id = $1', [
      id,
      issuanceKeyOf(testLedger, person),
    ])
  // The same key everywhere, although the keys of two courses differ in fact.
  await withoutTriggers(
    testLedger.database,
    'UPDATE issuance i SET issuance_key = first.issuance_key FROM issuance first WHERE i.id BETWEEN 3 AND 6 AND first.id = 2 - i.id % 2',
  )
  return { testLedger, production }
}

async function surplusOf(database: Database): Promise<[issuance: number, key: string][]> {
  const { rows } = await database.query<{ id: number; key: string }>(
    'SELECT issuance_id AS id, item_key AS key FROM surplus_item ORDER BY issuance_id, item_key',
  )
  return rows.map(({ id, key }) => [id, key])
}

const statesOf = async ({ database }: TestLedger) =>
  (await database.query<{ state: string }>('SELECT state FROM issuance ORDER BY id')).rows.map(({ state }) => state)

describeWithDatabase('an adoption', () => {
  test('continues its own run: that of its pipeline, course and environment', async () => {
    const { testLedger, production } = await openCrowded()
    await using _ = testLedger
    const { ledger } = testLedger
    const scopes = [{ ...welding, pipeline: 'autumn' }, { ...welding, course: otherCourse }, welding]
    await writeBatch(production, { fresh: [adoptedItem(testLedger, 9)] })
    for (const [index, scope] of scopes.entries())
      await writeBatch(ledger, { fresh: [10, 11, 12].map((n) => adoptedItem(testLedger, n + 10 * index)) }, scope)
    const runs = new Set<string | undefined>()
    for (const scope of scopes) runs.add((await ledger.adoptions.unfinished(scope))?.run)
    expect([runs.size, runs.has(undefined)]).toEqual([3, false])
    const own = await ledger.adoptions.unfinished(welding)
    expect(own?.rows).toBe(3)
    expect((await ledger.runs.find(own?.run ?? ''))?.header).toEqual(Object.keys(aRecipient(1)))
    expect(await ledger.adoptions.finish(welding, [])).toBe(own?.run)
    expect(await ledger.adoptions.unfinished(welding)).toBeNull()
    expect(await ledger.adoptions.finish(welding, [])).toBeNull()
    for (const scope of scopes.slice(0, 2)) expect(await ledger.adoptions.unfinished(scope)).not.toBeNull()
    expect((await production.adoptions.unfinished(welding))?.rows).toBe(1)
  })

  test.each<[what: string, person: number, key: string]>([
    ['a person whom the ledger has', 1, 'new'],
    ['an item that an issuance has claimed', 20, keyOf(1)],
  ])('is overtaken by %s', async (_, person, key) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    await testLedger.database.query(
      `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint) VALUES ('development', 1, $1, 'f')`,
      [keyOf(1)],
    )
    const item = { ...adoptedItem(testLedger, person), key }
    await expect(writeBatch(testLedger.ledger, { fresh: [item] })).rejects.toThrow(AdoptionOvertakenError)
    expect(await statesOf(testLedger)).toEqual(['pending'])
  })
})

describeWithDatabase('an item beyond the one that a row has', () => {
  const extra = (ledger: TestLedger, person: number, countsAsSurplus: boolean) => ({
    ...{ issuanceKey: issuanceKeyOf(ledger, person).toString('hex'), key: `extra ${person}` },
    ...{ fingerprint: `fp-${person}`, countsAsSurplus },
  })

  test.each([true, false])(
    'is recorded once, with its row of this course and environment; counted: %s',
    async (counts) => {
      const { testLedger } = await openCrowded()
      await using _ = testLedger
      const extraItems = [1, 3, 4].map((person) => extra(testLedger, person, counts))
      for (const __ of [1, 2]) await writeBatch(testLedger.ledger, { extraItems })
      expect(await surplusOf(testLedger.database)).toEqual([[1, 'extra 1']])
      const { rows } = await testLedger.database.query<{ surplus: number }>(
        'SELECT surplus_items AS surplus FROM issuance ORDER BY id',
      )
      expect(rows.map(({ surplus }) => surplus)).toEqual([counts ? 1 : 0, 0, 0, 0, 0, 0, 0, 0])
    },
  )

  test('is counted anew for failed rows of this course and environment', async () => {
    const { testLedger } = await openCrowded()
    await using _ = testLedger
    await withoutTriggers(
      testLedger.database,
      `UPDATE issuance SET surplus_items = 2, state = CASE id WHEN 2 THEN 'held' ELSE 'failed' END`,
    )
    const recounted = [1, 2, 3, 4].map((n) => ({
      issuanceKey: issuanceKeyOf(testLedger, n).toString('hex'),
      surplus: 1,
    }))
    await writeBatch(testLedger.ledger, { recounted })
    expect((await testLedger.issuances()).map(({ surplus }) => surplus)).toEqual([1, 2, 2, 2, 2, 2, 2, 2])
  })
})

describeWithDatabase('a row that waits to be sent', () => {
  test.each<[what: string, columns: string, takesOver: boolean]>([
    ['pending', `state = 'pending'`, true],
    ['pending after a call', `state = 'pending', first_sent_at = clock_timestamp()`, false],
    ['pending after a decision', `state = 'pending', decided_at = clock_timestamp()`, false],
    ['failed', `state = 'failed'`, true],
    ['failed after a call and a decision', `state = 'failed', first_sent_at = now(), decided_at = now()`, true],
    ['failed with a credential', `state = 'failed', credential_id = 'C-9'`, false],
    ['held', `state = 'held'`, false],
  ])('because it is %s (%s) takes over an item of its person: %s', async (_, columns, takesOver) => {
    const { testLedger } = await openCrowded()
    await using __ = testLedger
    await withoutTriggers(testLedger.database, `UPDATE issuance SET ${columns} WHERE id = 1`)
    const before = await statesOf(testLedger)
    const written = writeBatch(testLedger.ledger, { waiting: [adoptedItem(testLedger, 1)] })
    if (takesOver) await written
    else await expect(written).rejects.toThrow(AdoptionOvertakenError)
    expect(await statesOf(testLedger)).toEqual(takesOver ? ['issued', ...before.slice(1)] : before)
  })

  test('keeps its former item and other items as recorded ones, but not the item that it takes over', async () => {
    const { testLedger } = await openCrowded()
    await using _ = testLedger
    const { ledger, database } = testLedger
    await withoutTriggers(database, `UPDATE issuance SET state = 'failed' WHERE id IN (1, 2)`)
    await database.query(
      `INSERT INTO report_claim (environment, issuance_id, item_key, fingerprint) VALUES ('development', 1, 'former', 'f'), ('development', 2, 'of 2', 'f')`,
    )
    const taken = adoptedItem(testLedger, 1)
    await database.query(
      `INSERT INTO surplus_item (environment, item_key, issuance_id) VALUES ('development', 'former', 1), ('development', 'further', 1),
         ('development', $1, 1), ('development', $2, 2), ('production', $1, 5)`,
      [taken.key, taken.fingerprint],
    )
    await writeBatch(ledger, { waiting: [taken] })
    expect(await surplusOf(database)).toEqual([
      [1, 'former'],
      [1, 'further'],
      [2, taken.fingerprint],
      [5, taken.key],
    ])
    const { rows } = await database.query(
      'SELECT issuance_id AS id, item_key AS key FROM report_claim ORDER BY issuance_id',
    )
    expect(rows).toEqual([
      { id: 1, key: taken.key },
      { id: 2, key: 'of 2' },
    ])
  })
})

describeWithDatabase('what is known before an adoption', () => {
  test('is about the people and items that were asked for, of this course and environment', async () => {
    const { testLedger, production } = await openCrowded()
    await using _ = testLedger
    const { ledger, database } = testLedger
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested'`)
    const claim = (issuanceId: number, key: string) => ({
      ...{ issuanceId, key, state: 'requested' as const, fingerprint: `fp-${key}` },
    })
    await ledger.report.apply({
      ...nothingNew,
      claims: [claim(1, 'own'), claim(2, 'own, not asked'), claim(3, 'other')],
    })
    await production.report.apply({ ...nothingNew, claims: [claim(5, 'elsewhere')] })
    await database.query(
      `INSERT INTO surplus_item (environment, item_key, issuance_id) VALUES ('development', 'surplus', 2),
         ('development', 'surplus, not asked', 2), ('development', 'surplus of the other course', 3), ('production', 'surplus elsewhere', 5)`,
    )
    const itemKeys = ['own', 'other', 'elsewhere', 'surplus', 'surplus of the other course', 'surplus elsewhere']
    const subjects = { issuanceKeys: [issuanceKeyOf(testLedger, 1)], itemKeys, hashes: [] }
    const known = await ledger.adoptions.known(aCourse, subjects)
    expect([...known.issuances.values()].map(({ id, claimed }) => [id, claimed])).toEqual([[1, true]])
    expect(known.items).toEqual(
      new Map([
        ['own', 'of this course'],
        ['other', 'of another course'],
        ['surplus', 'of this course'],
      ]),
    )
    expect(known.surplusOwners).toEqual(new Map([['surplus', 2]]))
  })
})
