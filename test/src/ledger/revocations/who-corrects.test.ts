// Whose decision a correction is, if somebody had asked for the revocation before: the one who corrects.

import { expect, test } from 'vitest'
import type { OperatorDecision } from '#src/ledger/operator-decision.ts'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const ada = { by: 'ada', why: 'the wrong person?' }
const grace = { by: 'grace', why: 'her name is misspelled' }

/** One person with the credential `C-1`. */
async function openIssued(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await testLedger.publish(recipients(1))
  await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'issued', credential_id = 'C-1'`)
  return testLedger
}

const revoke = ({ ledger }: TestLedger, decision: OperatorDecision) =>
  ledger.revocations.request({ credentialId: 'C-1', issuanceId: 1, correction: null, decision })

const correct = (testLedger: TestLedger, decision: OperatorDecision) =>
  testLedger.ledger.revocations.request({
    ...{ credentialId: 'C-1', issuanceId: 1, decision },
    correction: correctionOf(testLedger, 1),
  })

const setState = ({ database }: TestLedger, state: string) =>
  database.query(`UPDATE revocation SET state = $1 WHERE id = (SELECT max(id) FROM revocation)`, [state])

const lastOf = ({ ledger }: TestLedger) => ledger.revocations.lastOf('C-1')

/** The log of the console, newest first. */
async function log({ ledger }: TestLedger): Promise<string[]> {
  const acts = await ledger.consoleActs.page({ before: null, limit: 20 })
  return acts.map(({ by, act, why }) => `${by} ${act}: ${why}`)
}

/** Issues the corrected credential. @returns who decided so, by the history of the old and of the new one */
async function carryOut(testLedger: TestLedger): Promise<(string | undefined)[]> {
  await setState(testLedger, 'accepted')
  await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'revoked' WHERE id = 1`)
  const last = await lastOf(testLedger)
  const corrected = await testLedger.ledger.revocations.carryOut(last?.id ?? 0)
  const lines = await Promise.all([1, corrected ?? 0].map((id) => testLedger.ledger.issuances.explain({ id })))
  return ['corrected', 'a person decided: corrected'].map((event, index) => {
    const line = lines[index]?.[0]?.history.find((each) => each.event === event)
    return line && `${line.evidence?.by}: ${line.evidence?.why}`
  })
}

describeWithDatabase('a correction', () => {
  test('that joins somebody else’s revocation is the decision of the one who corrects', async () => {
    await using testLedger = await openIssued()
    await revoke(testLedger, ada)
    expect(await correct(testLedger, grace)).toMatchObject({ status: 'joined' })
    expect(await lastOf(testLedger)).toMatchObject({
      ...ada,
      ...{ corrects: true, correctionBy: 'grace', correctionWhy: 'her name is misspelled' },
    })
    expect(await log(testLedger)).toEqual([
      'grace corrected a credential: her name is misspelled',
      'ada revoked a credential: the wrong person?',
    ])
    const [life] = await testLedger.ledger.issuances.explain({ id: 1 })
    expect(life?.history.at(-1)).toMatchObject({
      event: 'correction wanted',
      evidence: { revocation: 1, ...grace, fields: 'Last Name' },
    })
    const of = 'grace: her name is misspelled'
    expect(await carryOut(testLedger)).toEqual([of, of])
  })

  test('that waits after a failure stays the decision of the one who corrected, however often others revoke', async () => {
    await using testLedger = await openIssued()
    await correct(testLedger, grace)
    for (const by of ['ada', 'eve']) {
      await setState(testLedger, 'refused')
      await revoke(testLedger, { by, why: 'once more' })
      expect(await lastOf(testLedger)).toMatchObject({
        ...{ by, corrects: true, correctionBy: 'grace', correctionWhy: 'her name is misspelled' },
      })
    }
    expect(await log(testLedger)).toEqual([
      'eve revoked a credential: once more',
      'ada revoked a credential: once more',
      'grace corrected a credential: her name is misspelled',
    ])
    const of = 'grace: her name is misspelled'
    expect(await carryOut(testLedger)).toEqual([of, of])
  })

  test('that takes the place of one that waited is the decision of the second one alone', async () => {
    await using testLedger = await openIssued()
    await correct(testLedger, grace)
    await setState(testLedger, 'not_applied')
    await correct(testLedger, ada)
    expect(await lastOf(testLedger)).toMatchObject({ ...ada, correctionBy: null, correctionWhy: null })
    const of = 'ada: the wrong person?'
    expect(await carryOut(testLedger)).toEqual([of, of])
  })

  test('that has ended is no part of a later revocation', async () => {
    await using testLedger = await openIssued()
    await correct(testLedger, grace)
    await testLedger.database.query(`UPDATE revocation SET state = 'refused', correction = NULL`)
    await revoke(testLedger, ada)
    expect(await lastOf(testLedger)).toMatchObject({ ...ada, corrects: false, correctionBy: null })
    expect((await log(testLedger))[0]).toBe('ada revoked a credential: the wrong person?')
  })

  test('keeps who decided so when its person is forgotten, and loses why', async () => {
    await using testLedger = await openIssued()
    const { ledger } = testLedger
    await revoke(testLedger, ada)
    await correct(testLedger, grace)
    await carryOut(testLedger)
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'failed' WHERE id > 1`)
    const id = await writeErasure(ledger, { ids: [1] })
    expect(await ledger.erasures.emptyNext(id)).toBe(2)
    expect(await testLedger.queryOne('SELECT by, why, correction_by, correction_why FROM revocation')).toEqual({
      ...{ by: 'ada', why: '', correction_by: 'grace', correction_why: '' },
    })
    const { rows } = await testLedger.database.query<{ text: string }>('SELECT evidence::text AS text FROM history')
    expect(rows.filter(({ text }) => text?.includes('misspelled'))).toEqual([])
  })
})
