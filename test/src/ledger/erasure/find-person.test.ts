// Whom an erasure would be about: what certainly is of one person, and what is only listed.

import { expect, test } from 'vitest'
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
