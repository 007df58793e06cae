// What an operator's request finds: earlier revocations of the same credential, and their corrections. Also what becomes
// of a call that a rolled-back ledger has forgotten.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const decision = { by: 'ada', why: 'as it should be' }

/** Two people with credentials, `C-1` and `C-2`. */
async function openIssued(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  await testLedger.publish(recipients(2))
  await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'issued', credential_id = 'C-' || id`)
  return testLedger
}

const request = ({ ledger }: TestLedger, correction: Correction | null = null, issuanceId = 1) =>
  ledger.revocations.request({ credentialId: `C-${issuanceId}`, issuanceId, correction, decision })

const setState = ({ database }: TestLedger, id: number, state: string) =>
  database.query('UPDATE revocation SET state = $2 WHERE id = $1', [id, state])

/** Which revocations have a correction that waits for them, with the last name that it corrects. */
async function waiting({ database }: TestLedger) {
  const { rows } = await database.query<{ id: number; name: string }>(
    `SELECT id, correction->'recipient'->>'Last Name' AS name FROM revocation WHERE correction IS NOT NULL ORDER BY id`,
  )
  return rows.map(({ id, name }) => [id, name])
}

const named = (testLedger: TestLedger, name: string, person = 1): Correction => {
  const correction = correctionOf(testLedger, person)
  return { ...correction, recipient: { ...correction.recipient, 'Last Name': name } }
}

describeWithDatabase('a request to revoke a credential', () => {
  test('uses the open revocation of that credential, and no other one', async () => {
    await using testLedger = await openIssued()
    expect(await request(testLedger, null, 2)).toMatchObject({ id: 1, status: 'new' })
    expect(await request(testLedger)).toMatchObject({ id: 2, status: 'new' })
    expect(await request(testLedger)).toMatchObject({ id: 2, status: 'open' })
    await setState(testLedger, 2, 'refused')
    expect(await request(testLedger)).toMatchObject({ id: 3, status: 'new' })
  })

  test('keeps the correction of the last one that failed, and leaves it there no longer', async () => {
    await using testLedger = await openIssued()
    const production = await openWholeLedger(testLedger.database, 'production')
    await request(testLedger, named(testLedger, 'First'))
    await setState(testLedger, 1, 'refused')
    await request(testLedger, named(testLedger, 'Second'))
    await setState(testLedger, 2, 'not_applied')
    await request(testLedger, named(testLedger, 'Other', 2), 2)
    const elsewhere = { credentialId: 'C-1', issuanceId: 1, correction: named(testLedger, 'Elsewhere'), decision }
    await production.revocations.request(elsewhere)
    expect(await request(testLedger)).toMatchObject({ id: 5, status: 'new' })
    expect(await waiting(testLedger)).toEqual([
      [3, 'Other'],
      [4, 'Elsewhere'],
      [5, 'Second'],
    ])
    expect(await testLedger.queryOne('SELECT changed_fields AS fields FROM revocation WHERE id = 5')).toEqual({
      fields: ['Last Name'],
    })
  })

  test('adds its correction to the open revocation, unless that has one', async () => {
    await using testLedger = await openIssued()
    await request(testLedger, null, 2)
    await request(testLedger)
    expect(await request(testLedger, named(testLedger, 'First'))).toMatchObject({ id: 2, status: 'joined' })
    expect(await request(testLedger, named(testLedger, 'First'))).toEqual({ id: 2, status: 'open', sameData: true })
    expect(await request(testLedger, named(testLedger, 'Second'))).toEqual({ id: 2, status: 'open', sameData: false })
    expect(await waiting(testLedger)).toEqual([[2, 'First']])
  })

  test('finds a correction that was carried out, and whether it issued the same data', async () => {
    await using testLedger = await openIssued()
    await request(testLedger, named(testLedger, 'Other', 2), 2)
    await request(testLedger, named(testLedger, 'First'))
    await setState(testLedger, 2, 'accepted')
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    const corrected = await testLedger.ledger.revocations.carryOut(2)
    expect(await request(testLedger, named(testLedger, 'First'))).toEqual({
      ...{ id: 2, status: 'corrected already', sameData: true },
    })
    expect(await request(testLedger, named(testLedger, 'Second'))).toMatchObject({ sameData: false })
    const targets = await testLedger.ledger.revocations.targets({ issuances: [1, 2], credentials: [] })
    expect(targets.map(({ correctedBy }) => correctedBy)).toEqual([corrected, null])
  })

  test('is refused with a correction about another person once it is carried out', async () => {
    await using testLedger = await openIssued()
    await request(testLedger, named(testLedger, 'Other', 2))
    await setState(testLedger, 1, 'accepted')
    await expect(testLedger.ledger.revocations.carryOut(1)).rejects.toThrow('about a different person')
  })
})

describeWithDatabase('the outcome of a revocation’s call that the ledger has forgotten', () => {
  const end = { class: 'accepted', status: 200, code: null, words: '' } as const
  const claim = (what: string) => ({ era: 0, number: 9, token: randomUUID(), at: new Date(0), before: null, what })

  test.each<[what: string, state: string, credential: string, rows: number]>([
    ['is wanted', 'wanted', 'C-1', 1],
    ['is of another credential', 'wanted', 'C-2', 0],
    ['was refused', 'refused', 'C-1', 0],
  ])('if its revocation %s (%s, %s) is recorded %i times, and stops sending', async (_, state, credential, rows) => {
    await using testLedger = await openIssued()
    const { id } = await request(testLedger)
    await request(testLedger, null, 2)
    await setState(testLedger, id, state)
    const to = { state: 'accepted', waitMs: 0 } as const
    expect(await testLedger.ledger.revocations.end({ id, claim: claim(credential) }, end, to)).toEqual({
      ...{ rows, found: 'forgotten' },
    })
    expect((await testLedger.ledger.revocations.find(id))?.state).toBe(rows > 0 ? 'accepted' : state)
    expect((await testLedger.ledger.revocations.find(2))?.state).toBe('wanted')
    expect(await testLedger.ledger.sendingStops.stops()).toHaveLength(1)
  })
})
