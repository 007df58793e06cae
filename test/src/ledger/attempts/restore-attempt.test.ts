// The outcome of a call that a rolled-back ledger has forgotten: the ledger has the attempt, but no record of its claim.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { afterSending } from '#src/issuing/reconcile/decide-after-sending.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aRecipient } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

interface Scene {
  testLedger: TestLedger
  /** The attempt of the forgotten call, dropped, with rows 2 to 4. */
  forgotten: number
  /** A prepared attempt with rows 2 and 5, and one with row 6. */
  withItsRow: number
  unrelated: number
  /** The call, of unknown outcome, in which row 3 was sent. */
  later: number
  /** A dropped attempt that differs from the forgotten one only by its id. */
  alike: number
  claim: CommittedClaim
}

/** Rows 1 and 7 are pending and not due. */
async function openScene(): Promise<Scene> {
  const testLedger = await openTestLedger()
  const { ledger, database } = testLedger
  await testLedger.publish([1, 2, 3, 4, 5, 6, 7].map((n) => aRecipient(n)))
  const prepare = async (rows: number[]) => {
    await database.query(
      `UPDATE issuance SET due_at = clock_timestamp() + CASE WHEN id = ANY($1) THEN interval '-1 s' ELSE interval '1 day' END
       WHERE state = 'pending' AND open_attempt IS NULL`,
      [rows],
    )
    return (await prepareOne(ledger, 'spring', rows.length)) ?? 0
  }
  const forgotten = await prepare([2, 3, 4])
  await ledger.attempts.drop(forgotten, 'because', 0)
  const later = await prepare([3])
  await ledger.attempts.claim({ attemptId: later, instance: randomUUID(), requestSha256: 'sha', deadlineMs: 60_000 })
  await testLedger.answer(later, { class: 'unknown' })
  const withItsRow = await prepare([2, 5])
  const unrelated = await prepare([6])
  await prepare([])
  const { rows } = await database.query<{ id: number }>(
    `INSERT INTO attempt (environment, pipeline, course_uuid, size, phase, prepared_at)
     SELECT environment, pipeline, course_uuid, size, phase, prepared_at FROM attempt WHERE id = $1 RETURNING id`,
    [forgotten],
  )
  const { what } = await testLedger.queryOne<{ what: string }>(
    `SELECT course_uuid || ' ' || pipeline || ' ' || size || ' ' || extract(epoch FROM prepared_at) AS what FROM attempt WHERE id = $1`,
    [forgotten],
  )
  const claim = { era: 0, number: 99, token: randomUUID(), at: new Date('2026-03-01T12:00:00Z'), before: null, what }
  return { testLedger, forgotten, withItsRow, unrelated, later, alike: rows[0]?.id ?? 0, claim }
}

const accepted = { class: 'accepted', status: 200, code: null, words: '', retryAfterMs: null } as const

const end = ({ testLedger, forgotten, claim }: Scene, more: Partial<CommittedClaim> = {}) =>
  testLedger.ledger.attempts.end(
    { attemptId: forgotten, claim: { ...claim, ...more } },
    accepted,
    afterSending(accepted, 3),
  )

async function phases({ testLedger }: Scene): Promise<Record<number, string>> {
  const { rows } = await testLedger.database.query<{ id: number; phase: string }>('SELECT id, phase FROM attempt')
  return Object.fromEntries(rows.map(({ id, phase }) => [id, phase]))
}

describeWithDatabase('the outcome of a call that the ledger has forgotten', () => {
  test('moves the rows of the call that were not sent since, and no others', async () => {
    const scene = await openScene()
    await using testLedger = scene.testLedger
    expect(await end(scene)).toEqual({ rows: 2, found: 'forgotten' })
    expect((await testLedger.issuances()).map(({ state, due }) => `${state} ${due}`)).toEqual([
      'pending later',
      'requested now',
      'unconfirmed now',
      'requested now',
      'pending now',
      'pending out of sight',
      'pending later',
    ])
    expect(await testLedger.queryOne(`SELECT first_sent_at AS at FROM issuance WHERE id = 2`)).toEqual({
      at: scene.claim.at,
    })
  })

  test('drops the prepared attempts that contain one of its rows, and no others', async () => {
    const scene = await openScene()
    await using _ = scene.testLedger
    await end(scene)
    expect(await phases(scene)).toEqual({
      ...{ [scene.forgotten]: 'ended', [scene.withItsRow]: 'dropped', [scene.unrelated]: 'prepared' },
      ...{ [scene.later]: 'ended', [scene.alike]: 'dropped' },
    })
  })

  test('stops sending', async () => {
    const scene = await openScene()
    await using testLedger = scene.testLedger
    await end(scene)
    expect(await testLedger.ledger.sendingStops.stops()).toMatchObject([
      { environment: 'development', reason: expect.stringContaining('call 99') },
    ])
  })

  test('restores nothing if what was sent is not what the attempt contains', async () => {
    const scene = await openScene()
    await using testLedger = scene.testLedger
    const before = await phases(scene)
    expect(await end(scene, { what: `${scene.claim.what}1` })).toEqual({ rows: 0, found: 'forgotten' })
    expect(await phases(scene)).toEqual(before)
    expect(await testLedger.ledger.sendingStops.stops()).toHaveLength(1)
  })

  test.each(['sending', 'ended'])('restores nothing if another claim has sent the attempt: it is %s', async (phase) => {
    const scene = await openScene()
    await using testLedger = scene.testLedger
    await testLedger.database.query(
      `UPDATE attempt SET phase = $2, outcome = CASE WHEN $2 = 'ended' THEN 'unknown' END WHERE id = $1`,
      [scene.forgotten, phase],
    )
    expect(await end(scene)).toEqual({ rows: 0, found: 'forgotten' })
    expect(await phases(scene)).toMatchObject({ [scene.forgotten]: phase, [scene.withItsRow]: 'prepared' })
  })
})
