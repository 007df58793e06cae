// What `export` reads of one person, and what it leaves out because it may name other people.

import { expect, test } from 'vitest'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

describeWithDatabase('the data of a person', () => {
  test.each([
    ['not what the service wrote about a batch', 2],
    ['what the service wrote about the person alone', 1],
  ])('have %s', async (_, size) => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(size))
    await testLedger.answer(await testLedger.send(), { class: 'refused', words: 'Ada1: date of birth is invalid.' })
    // As if another one of the call had been forgotten.
    await testLedger.database.query('UPDATE attempt SET words = NULL')
    const { issuances } = await testLedger.ledger.erasures.personData({ ids: [size], rows: [], completions: [] }, {})
    expect(JSON.stringify(issuances).split('date of birth is invalid')).toHaveLength(size === 1 ? 3 : 1)
    expect(JSON.stringify(issuances[0]?.history)).toContain('"outcome":"refused"')
  })

  test('have why somebody corrected, beside why somebody else revoked, and neither name', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(1))
    const { revocations, erasures } = testLedger.ledger
    const of = { credentialId: 'C-1', issuanceId: 1 }
    await revocations.request({ ...of, correction: null, decision: { by: 'hedy', why: 'the wrong person?' } })
    const decision = { by: 'grace', why: 'misspelled' }
    await revocations.request({ ...of, correction: correctionOf(testLedger, 1), decision })
    const content = { ids: [1], rows: [], completions: [] }
    const { issuances } = await erasures.personData(content, {})
    expect(issuances[0]?.revocations).toMatchObject([{ reason: 'the wrong person?', correctionReason: 'misspelled' }])
    expect(JSON.stringify(issuances)).not.toMatch(/hedy|grace/)
  })
})
