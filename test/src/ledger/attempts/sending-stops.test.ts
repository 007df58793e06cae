// Which claims a ledger contains, and what is stopped while it has lost one.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger, type WholeLedger } from '#src/app/whole-ledger.ts'
import type { Witness } from '#src/domain/credential/high-water-mark.ts'
import { type CommittedClaim, knowsClaim, stopSending } from '#src/ledger/attempts/commit-claim.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, publish } from '#test/support/test-ledger.ts'

const decision = { by: 'ada', why: 'looked it up' }

async function claimOne(ledger: WholeLedger): Promise<CommittedClaim | null> {
  const attemptId = (await prepareOne(ledger, 'spring', 1)) ?? 0
  return ledger.attempts.claim({ attemptId, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 1_000 })
}

/** A ledger with two claims in this environment and one in another. */
async function openClaimed() {
  const testLedger = await openTestLedger()
  const production = await openWholeLedger(testLedger.database, 'production')
  await testLedger.publish(recipients(3))
  await publish(production, recipients(1))
  const first = (await claimOne(testLedger.ledger)) as CommittedClaim
  const foreign = (await claimOne(production)) as CommittedClaim
  const last = (await claimOne(testLedger.ledger)) as CommittedClaim
  return { testLedger, production, foreign, first, last }
}

const witnessOf = (claim: Pick<CommittedClaim, 'number' | 'token'>): Witness => ({
  ...{ where: 'the file', other: null, isUnreadable: false },
  mark: {
    ...{ era: 0, number: claim.number, token: claim.token, ledger: 'this', environment: 'development' },
    ...{ service: 'https://service.example', at: '2026-01-01T00:00:00Z', system: null },
  },
})

describeWithDatabase('a claim', () => {
  test('is known by its environment, number and token', async () => {
    const { testLedger, foreign, first, last } = await openClaimed()
    await using ledger = testLedger
    const knows = (claim: CommittedClaim) => knowsClaim(ledger.database, 'development', claim)
    expect(await Promise.all([first, last].map(knows))).toEqual([true, true])
    expect(await knows(foreign)).toBe(false)
    expect(await knows({ ...first, number: last.number })).toBe(false)
    expect(await knows({ ...first, token: randomUUID() })).toBe(false)
  })

  test.each([
    ['it contains', false, () => ({})],
    ['of another number', true, () => ({ number: 1 })],
    ['of another token', true, () => ({ token: randomUUID() })],
  ])('%s is missing in the ledger: %s', async (_, isMissing, changed) => {
    const { testLedger, last } = await openClaimed()
    await using ledger = testLedger
    const { stop } = await ledger.ledger.sendingStops.compare([witnessOf({ ...last, ...changed() })])
    expect(stop !== null).toBe(isMissing)
  })

  test('of another environment is missing in this one', async () => {
    const { testLedger, foreign } = await openClaimed()
    await using ledger = testLedger
    expect(await ledger.ledger.sendingStops.doubt([witnessOf(foreign)])).toContain('number 1')
  })

  test('that is the last one of its environment is compared with the marks', async () => {
    const { testLedger, production, foreign, last } = await openClaimed()
    await using ledger = testLedger
    expect((await ledger.ledger.sendingStops.compare([])).last).toMatchObject({ number: 2, token: last.token })
    expect((await production.sendingStops.compare([])).last).toMatchObject({ number: 1, token: foreign.token })
  })

  test('has the number zero if there is none', async () => {
    await using testLedger = await openTestLedger()
    const { last, stop } = await testLedger.ledger.sendingStops.compare([])
    expect(last).toEqual({ era: 0, number: 0, token: '', at: expect.any(Date) })
    expect(stop).toBeNull()
  })
})

describeWithDatabase('a sending stop', () => {
  test('lets nobody claim anything in its environment, and changes nothing', async () => {
    const { testLedger, production } = await openClaimed()
    await using ledger = testLedger
    await publish(production, recipients(1, 9))
    expect(await stopSending(ledger.database, 'development', 'it was rolled back')).toBe(true)
    expect(await claimOne(ledger.ledger)).toBeNull()
    expect(await ledger.states()).toEqual(['sending', 'sending', 'pending', 'sending', 'pending'])
    expect(await claimOne(production)).toMatchObject({ number: 2 })
  })

  test('keeps the batches of its environment from being taken', async () => {
    const { testLedger } = await openClaimed()
    await using ledger = testLedger
    const attempt = await prepareOne(ledger.ledger, 'spring', 1)
    await stopSending(ledger.database, 'development', 'it was rolled back')
    expect(await ledger.ledger.work.takeAttemptsToSend()).toEqual([])
    await ledger.ledger.sendingStops.trust(decision)
    await stopSending(ledger.database, 'production', 'it was rolled back')
    expect(await ledger.ledger.work.takeAttemptsToSend()).toEqual([attempt])
  })

  test('is recorded once, and again after an operator has ended it', async () => {
    await using testLedger = await openTestLedger()
    const stop = () => stopSending(testLedger.database, 'development', 'it was rolled back')
    expect([await stop(), await stop()]).toEqual([true, false])
    await testLedger.ledger.sendingStops.trust(decision)
    expect(await testLedger.ledger.sendingStops.stops()).toEqual([])
    expect(await stop()).toBe(true)
    await testLedger.ledger.sendingStops.trust({ by: 'eve', why: 'again' })
    const { rows } = await testLedger.database.query('SELECT ended_by AS by FROM sending_stop ORDER BY id')
    expect(rows).toEqual([{ by: 'ada' }, { by: 'eve' }])
  })
})
