// Which revocations are due, settled, ready to be corrected, or need an operator: one of every kind, here and in another
// environment.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

interface Kind {
  state: string
  /** State of the issuance; null for a credential that the ledger does not know. */
  of?: 'issued' | 'revoked' | null
  corrects?: boolean
  doubt?: boolean
  isDue?: boolean
  isOverdue?: boolean
  daysAgo?: number
  /** Whether it is due, is taken, is settled by the report, has a correction that is ready, and is to be decided. */
  expected: string
}

const kinds: Kind[] = [
  { state: 'wanted', expected: 'due taken' },
  { state: 'wanted', isDue: false, expected: '' },
  { state: 'wanted', of: 'revoked', expected: 'due taken settled' },
  { state: 'wanted', doubt: true, expected: 'due taken to decide' },
  { state: 'wanted', corrects: true, isDue: false, expected: '' },
  { state: 'sending', expected: '' },
  { state: 'sending', of: 'revoked', expected: '' },
  { state: 'sending', of: 'revoked', corrects: true, expected: '' },
  { state: 'sending', isOverdue: true, expected: 'taken' },
  { state: 'sending', of: null, isOverdue: true, expected: 'taken' },
  { state: 'unconfirmed', expected: 'due taken' },
  { state: 'unconfirmed', of: null, expected: 'due taken' },
  { state: 'unconfirmed', of: 'revoked', isDue: false, expected: 'settled' },
  { state: 'unconfirmed', of: 'revoked', corrects: true, isDue: false, expected: 'settled' },
  // The deadline of an earlier call.
  { state: 'unconfirmed', isDue: false, isOverdue: true, expected: '' },
  { state: 'accepted', isDue: false, expected: '' },
  { state: 'accepted', isDue: false, corrects: true, expected: 'taken ready' },
  { state: 'accepted', of: 'revoked', expected: 'due taken settled' },
  { state: 'seen', expected: '' },
  { state: 'seen', doubt: true, expected: '' },
  { state: 'seen', corrects: true, expected: 'taken ready' },
  { state: 'seen', of: 'revoked', expected: '' },
  { state: 'refused', expected: 'to decide' },
  { state: 'refused', daysAgo: 31, expected: '' },
  { state: 'refused', daysAgo: 31, corrects: true, expected: 'to decide' },
  { state: 'refused', of: 'revoked', expected: '' },
  { state: 'refused', of: 'revoked', corrects: true, expected: 'taken settled' },
  { state: 'not_applied', expected: 'to decide' },
  { state: 'not_applied', of: 'revoked', expected: '' },
  { state: 'not_applied', of: 'revoked', corrects: true, expected: 'taken settled' },
]

/** One revocation of every kind, numbered from one, and the same ones in another environment. */
async function openKinds(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { database } = testLedger
  await testLedger.publish(recipients(kinds.length))
  await publish(await openWholeLedger(database, 'production'), recipients(kinds.length))
  for (const environment of ['development', 'production'])
    for (const [index, kind] of kinds.entries()) {
      const { of = 'issued', daysAgo = 1 } = kind
      const issuance = index + 1 + (environment === 'production' ? kinds.length : 0)
      await withoutTriggers(
        database,
        `UPDATE issuance SET state = $2, credential_id = 'C-' || $1::bigint WHERE id = $1::bigint`,
        [issuance, of ?? 'issued'],
      )
      await database.query(
        `INSERT INTO revocation (environment, credential_id, issuance_id, by, state, correction, doubt, due_at, deadline_at, wanted_at, asked_at)
         VALUES ($1, 'C-' || $2::bigint, CASE WHEN $3 THEN $2::bigint END, 'ada', $4, CASE WHEN $5 THEN '{}'::jsonb END, CASE WHEN $6 THEN 'odd' END,
           clock_timestamp() + CASE WHEN $7 THEN interval '-1 h' ELSE interval '1 h' END, clock_timestamp() + CASE WHEN $8 THEN interval '-1 h' ELSE interval '1 h' END,
           clock_timestamp() - make_interval(days => $9), clock_timestamp() - interval '1 h')`,
        [
          ...[environment, issuance, of !== null, kind.state, kind.corrects ?? false, kind.doubt ?? false],
          ...[kind.isDue ?? true, kind.isOverdue ?? false, daysAgo],
        ],
      )
    }
  return testLedger
}

const numbersWhere = (word: string) =>
  kinds.flatMap(({ expected }, index) => (expected.includes(word) ? [index + 1] : []))

async function idsWhere({ database }: TestLedger, condition: string): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(`SELECT id FROM revocation WHERE ${condition} ORDER BY id`)
  return rows.map(({ id }) => id)
}

describeWithDatabase('revocations of every kind', () => {
  test('are due by their state and their time', async () => {
    await using testLedger = await openKinds()
    expect(await testLedger.ledger.revocations.due()).toEqual(numbersWhere('due'))
  })

  test('are open until they have ended', async () => {
    await using testLedger = await openKinds()
    const open = ['wanted', 'sending', 'unconfirmed', 'accepted']
    expect(await testLedger.ledger.revocations.open()).toEqual(
      kinds.flatMap(({ state }, index) => (open.includes(state) ? [index + 1] : [])),
    )
  })

  test.each([
    ['if they have work to do and their job seems to be lost', 1_800_000, numbersWhere('taken')],
    ['not before their job seems to be lost', 7_200_000, []],
  ])('are taken %s', async (_, lostAfterMs, expected) => {
    await using testLedger = await openKinds()
    const ledger = await openWholeLedger(testLedger.database, 'development', { lostAfterMs })
    expect(await ledger.revocations.take()).toBe(expected.length > 0)
    expect(await idsWhere(testLedger, `asked_at > clock_timestamp() - interval '30 min'`)).toEqual(expected)
  })

  test('are settled by what the report shows', async () => {
    await using testLedger = await openKinds()
    const before = await idsWhere(testLedger, `state = 'seen'`)
    await testLedger.ledger.revocations.noteRevoked()
    const seen = (await idsWhere(testLedger, `state = 'seen'`)).filter((id) => !before.includes(id))
    expect(seen).toEqual(numbersWhere('settled'))
  })

  test('are lost with their worker if they were sent and have a deadline in the past', async () => {
    await using testLedger = await openKinds()
    const overdue = kinds.flatMap(({ state, isOverdue }, index) =>
      state === 'sending' && isOverdue ? [index + 1] : [],
    )
    await testLedger.ledger.revocations.markLost()
    expect(await idsWhere(testLedger, `error_code = 'WORKER_DIED' AND state = 'unconfirmed'`)).toEqual(overdue)
  })

  test('are corrected once the service or the report has confirmed them', async () => {
    await using testLedger = await openKinds()
    expect(await testLedger.ledger.revocations.readyCorrections()).toEqual(numbersWhere('ready'))
    for (const [index, { corrects = false }] of kinds.entries())
      if (!corrects) expect(await testLedger.ledger.revocations.carryOut(index + 1)).toBeNull()
  })

  test('are for an operator to decide if they failed or are in doubt, the oldest first', async () => {
    await using testLedger = await openKinds()
    const ids = async (environment: string) => {
      const { revocations } = await openWholeLedger(testLedger.database, environment)
      return (await revocations.toDecide()).map(({ id }) => id)
    }
    const old = numbersWhere('to decide').filter((id) => kinds[id - 1]?.daysAgo)
    const own = [...old, ...numbersWhere('to decide').filter((id) => !old.includes(id))]
    expect(await ids('development')).toEqual(own)
    expect((await ids('any')).toSorted((a, b) => a - b)).toEqual(
      [...own, ...own.map((id) => id + kinds.length)].toSorted((a, b) => a - b),
    )
  })

  test('count by the last one of their credential', async () => {
    await using testLedger = await openKinds()
    const refused = kinds.findIndex(({ state }) => state === 'refused') + 1
    await testLedger.database.query(
      `INSERT INTO revocation (environment, credential_id, issuance_id, by, state) VALUES ('development', 'C-' || $1::bigint, $1::bigint, 'eve', 'wanted')`,
      [refused],
    )
    const { revocations } = testLedger.ledger
    expect((await revocations.toDecide()).map(({ id }) => id)).not.toContain(refused)
    const [target] = await revocations.targets({ issuances: [refused], credentials: [] })
    expect(target).toMatchObject({ revocation: 'wanted', correctionWaits: false })
  })

  test('are in doubt after a search of the report only while it decides them', async () => {
    await using testLedger = await openKinds()
    const { revocations } = testLedger.ledger
    const before = await idsWhere(testLedger, 'doubt IS NOT NULL')
    for (const id of kinds.keys()) await revocations.noteCheck(id + 1, { to: null, doubt: 'odd', waitMs: 0 })
    const searched = ['unconfirmed', 'accepted', 'refused']
    const now = (await idsWhere(testLedger, `doubt IS NOT NULL AND environment = 'development'`)).filter(
      (id) => !before.includes(id),
    )
    expect(now).toEqual(kinds.flatMap(({ state }, index) => (searched.includes(state) ? [index + 1] : [])))
  })

  test('do not wait for a correction that is another credential’s', async () => {
    await using testLedger = await openKinds()
    const targets = await testLedger.ledger.revocations.targets({
      ...{ issuances: kinds.map((_, index) => index + 1), credentials: [] },
    })
    expect(targets.filter(({ correctionWaits }) => correctionWaits).map(({ issuanceId }) => issuanceId)).toEqual(
      kinds.flatMap(({ corrects }, index) => (corrects ? [index + 1] : [])),
    )
  })
})
