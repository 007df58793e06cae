// Whom an erasure would be about: what certainly is of one person, and what is only listed.

import { expect, test } from 'vitest'
import { comparisonOf, type Person, publish } from '#test/src/ledger/runs/lists-of-people.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient, byPrimaryValue, otherCourse, type Recipient } from '#test/support/domain-objects.ts'
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

  test('is only listed by an address, which may be of several people', async () => {
    await using testLedger = await openTestLedger()
    const { run } = await publish(testLedger, [ada, bea])
    const who = { ...nobody, text: 'ada@example.org', values: ['ada@example.org'] }
    const [found] = await testLedger.ledger.erasures.find([who], comparisonOf())
    const rows = [2, 3].map((row) => ({ run: run?.id, row }))
    expect(found).toMatchObject({ ids: [], rows: [], leftOut: { rows } })
  })
})
