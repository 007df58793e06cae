// A ledger with rows in every state, and attempts in every phase. A row is identified by the number of its person.

import type { State } from '#src/domain/credential/state.ts'
import type { DueDelivery } from '#src/extensions/lms/ledger/deliveries.ts'
import type { CommittedClaim } from '#src/ledger/attempts/commit-claim.ts'
import type { AdoptedItem } from '#src/ledger/report/adopt-items.ts'
import type { Move } from '#src/ledger/report/move-issuances.ts'
import type { Correction } from '#src/ledger/revocations/revocation.ts'
import { aBadRow, aCourse, aRecipient, aStagedRow, nothingShown, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { sendingClaimOf, type TestLedger } from '#test/support/test-ledger.ts'
import { addOtherData } from './scene-additions.ts'

export const decision = { by: 'ada', why: 'as it should be' }
export const instance = '00000000-0000-4000-8000-00000000000a'
export const brake = { rows: 1 }

export interface Scene {
  /** Attempts: prepared, claimed, claimed and past the deadline, and ended with an unknown outcome. */
  attempts: Record<'prepared' | 'sending' | 'overdue' | 'unknown', number>
  /**
   * Runs: published and settled; with open rows; staged but not published; not read; held by the brake; and made of
   * completions.
   */
  runs: Record<'settled' | 'published' | 'staged' | 'received' | 'braked' | 'completions', string>
  revocations: Record<'wanted' | 'sending' | 'accepted' | 'unconfirmed', number>
  /** The claims of the claimed attempts. */
  sendingClaims: Record<'sending' | 'overdue' | 'revocation', CommittedClaim>
  scan: { id: number; startedAt: Date }
  /** Issuance ids by the number of the person. */
  ids: ReadonlyMap<number, number>
  /** The id of an inbound event that is not processed. */
  inboundEvent: number
  deliveries: Record<'pending' | 'verified', Pick<DueDelivery, 'id' | 'wanted'>>
  /** The id of a message about a notice that is not delivered. */
  message: string
}

/** Rows whose item was found by a scan of the report, with their state at that time and the new states. */
export const shown: readonly (readonly [person: number, from: State, ...path: State[]])[] = [
  [1, 'requested', 'in_progress', 'issued'],
  [14, 'pending', 'unconfirmed', 'requested'],
  [18, 'pending', 'unconfirmed', 'requested', 'in_progress'],
  [19, 'sending', 'requested', 'in_progress'],
  [21, 'sending', 'requested'],
  [23, 'unconfirmed', 'requested', 'in_progress', 'rejected'],
]
/** Rows that already have an item, with a change of that item. */
export const changedItems: readonly (readonly [person: number, from: State, ...path: State[]])[] = [
  [2, 'in_progress', 'issued'],
  [3, 'issued', 'revoked'],
  [4, 'issued', 'revoked'],
]

export const keyOf = (person: number) => `item-${person}`

export function fieldsOf(person: number, state: State) {
  const done = state === 'issued' || state === 'revoked'
  return { ...nothingShown, reportStatus: state, entityUuid: keyOf(person), credentialId: done ? `C-${person}` : null }
}

export function movesOf(
  ids: ReadonlyMap<number, number>,
  paths: readonly (readonly [person: number, from: State, ...path: State[]])[],
): Move[] {
  return paths.flatMap(([person, from, ...path]) =>
    path.map((to, step) => ({
      ...{ id: ids.get(person) ?? 0, from: path[step - 1] ?? from, to, event: `the report says ${to}`, reason: null },
      ...{ evidence: { person }, fields: fieldsOf(person, to) },
    })),
  )
}

export function correctionOf({ ledger }: Pick<TestLedger, 'ledger'>, person: number): Correction {
  const recipient = aRecipient(person, { 'Last Name': 'Byron' })
  const { issuanceKey, identityHash, matchHashes } = aStagedRow(2, recipient, ledger.hasher)
  if (!issuanceKey || !identityHash || !matchHashes) throw new Error('A valid row has all of these hashes.')
  return { recipient, issuanceKey, identityHash, matchHashes, changedFields: ['Last Name'] }
}

export function adoptedItem(testLedger: Pick<TestLedger, 'ledger'>, person: number): AdoptedItem {
  const { changedFields: _, ...identity } = correctionOf(testLedger, person)
  const found = { key: `adopted-${person}`, fingerprint: `fp-adopted-${person}`, requestDate: '2026-01-01' }
  return { ...identity, ...found, recipient: aRecipient(person), state: 'issued', fields: fieldsOf(person, 'issued') }
}

export async function buildScene(testLedger: TestLedger): Promise<Scene> {
  const { ledger } = testLedger
  const settled = await reportedRows(testLedger)
  await refusedRows(testLedger)
  await sendWithoutAnswer(testLedger, recipients(2, 13))
  const scan = await ledger.scans.begin('2000-01-01')
  const ids = await idsOf(testLedger)
  await ledger.absence.hold([ids.get(13) ?? 0], 'no one can say', scan)
  await ledger.absence.sendAgain([ids.get(14) ?? 0], { batchCap: null, countsAsResend: true }, scan)
  await testLedger.publish(recipients(3, 15))
  const prepared = (await prepareOne(ledger, 'spring', 4)) ?? 0
  await testLedger.publish(recipients(2, 19))
  const sending = await testLedger.send(2)
  await testLedger.publish(recipients(2, 21))
  const overdue = await testLedger.send(2)
  const unknown = await sendWithoutAnswer(testLedger, recipients(2, 23))
  await sendWithoutAnswer(testLedger, recipients(1, 18))
  const secondScan = await ledger.scans.begin('2000-01-01')
  await ledger.absence.sendAgain(
    [(await idsOf(testLedger)).get(18) ?? 0],
    { batchCap: null, countsAsResend: true },
    secondScan,
  )
  const published = await testLedger.publish(recipients(3, 25), { name: 'new.csv' })
  await testLedger.database.query(
    // That of an ended call is over, however long the suite takes.
    `UPDATE attempt SET deadline_at = clock_timestamp() + CASE WHEN id = $1 OR phase = 'ended' THEN interval '-1 minute' ELSE interval '1 day' END
     WHERE phase IN ('sending', 'ended')`,
    [overdue],
  )
  const revocations = await wantedRevocations(testLedger)
  await adoptedRow(testLedger)
  await ledger.watching.begin(new Date(0))
  const { completions, ...learning } = await addOtherData(testLedger, settled)
  await oldList(testLedger)
  return {
    attempts: { prepared, sending, overdue, unknown },
    runs: { settled, published, completions, ...(await unreadRuns(testLedger)) },
    sendingClaims: {
      sending: await sendingClaimOf(testLedger.database, { attempt: sending }),
      overdue: await sendingClaimOf(testLedger.database, { attempt: overdue }),
      revocation: await sendingClaimOf(testLedger.database, { revocation: revocations.sending }),
    },
    ...{ revocations, scan: secondScan, ids: await idsOf(testLedger), ...learning },
  }
}

async function idsOf({ database }: TestLedger): Promise<Map<number, number>> {
  const { rows } = await database.query<{ id: number; person: number }>(
    `SELECT id, substring(recipient->>'Email' FROM '[0-9]+')::int AS person FROM issuance ORDER BY id`,
  )
  return new Map(rows.map(({ id, person }) => [person, id]))
}

/** People 1 to 10: accepted in one call; the report shows each in another state. */
async function reportedRows(testLedger: TestLedger): Promise<string> {
  const run = await testLedger.publish(recipients(10), { name: 'old.csv' })
  await testLedger.answer(await testLedger.send(10), { class: 'accepted', status: 200 })
  const ids = await idsOf(testLedger)
  const issued = ['in_progress', 'issued'] as const
  const moves = movesOf(ids, [
    [2, 'requested', 'in_progress'],
    ...[3, 4, 5, 6, 9].map((person) => [person, 'requested', ...issued] as const),
    [7, 'requested', 'in_progress', 'rejected'],
    [8, 'requested', 'held'],
    [10, 'requested', 'in_progress', 'failed'],
  ])
  const claims = [2, 3, 4, 5, 6, 7, 8, 9, 10].map((person) => claimOf(ids, person, 'requested'))
  await testLedger.ledger.report.apply({ ...nothingNew, claims, moves })
  await testLedger.ledger.writeBacks.want(run)
  return run
}

export const winter = { pipeline: 'winter', course: '00000000-0000-4000-8000-0000000000a1' }

/** People 61 and 62: issued long ago, of a pipeline whose newest list names 62 and 63. */
async function oldList(testLedger: TestLedger): Promise<void> {
  const { ledger, database } = testLedger
  const run = await testLedger.publish(recipients(2, 61), { name: 'very old.csv', ...winter })
  await testLedger.answer(await testLedger.send(2, 'winter'), { class: 'accepted', status: 200 })
  const ids = await idsOf(testLedger)
  const people = [61, 62]
  const claims = people.map((person) => claimOf(ids, person, 'requested'))
  const moves = movesOf(
    ids,
    people.map((person) => [person, 'requested', 'in_progress', 'issued'] as const),
  )
  await ledger.report.apply({ ...nothingNew, claims, moves })
  await ledger.writeBacks.want(run)
  await ledger.writeBacks.noteReported(run, (await ledger.writeBacks.wantedVersion(run)) ?? 0)
  await database.query(
    `UPDATE run SET received_at = '2020-01-01', published_at = '2020-01-01', settled_at = '2020-01-02' WHERE id = $1`,
    [run],
  )
  await testLedger.publish(recipients(2, 62), { name: 'newer.csv', ...winter })
}

export const nothingNew = { claims: [], upgrades: [], moves: [], shown: [], surplus: [], certificateNames: [] }

export function claimOf(ids: ReadonlyMap<number, number>, person: number, state: State) {
  return { issuanceId: ids.get(person) ?? 0, key: keyOf(person), fingerprint: `fp-${person}`, state }
}

/** People 11 and 12: each refused in a separate call. */
async function refusedRows(testLedger: TestLedger): Promise<void> {
  for (const person of [11, 12]) {
    await testLedger.publish(recipients(1, person))
    await testLedger.answer(await testLedger.send(1), { class: 'refused', status: 400 })
  }
}

async function sendWithoutAnswer(testLedger: TestLedger, people: ReturnType<typeof recipients>): Promise<number> {
  await testLedger.publish(people)
  const attempt = await testLedger.send(people.length)
  await testLedger.answer(attempt, { class: 'unknown' })
  return attempt
}

async function unreadRuns({ ledger }: TestLedger) {
  const receive = async (name: string) =>
    (await ledger.runs.receive({ pipeline: 'spring', sourceName: name, sourcePath: `/in/${name}`, sourceSha256: name }))
      .run.id
  const rowsOf = (people: readonly number[]) => [
    ...people.map((person, at) => aStagedRow(at + 2, aRecipient(person), ledger.hasher)),
    aBadRow(people.length + 2),
  ]
  const staged = await receive('staged.csv')
  await ledger.intake.stage(staged, rowsOf([3, 11, 31, 25]))
  const braked = await receive('braked.csv')
  await ledger.intake.stage(braked, rowsOf([32, 33]))
  await ledger.intake.publish(braked, { ...publication, brake }, 3)
  const received = await receive('received.csv')
  await ledger.runs.noteUnreadable(received)
  return { staged, braked, received }
}

export const publication = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }

async function wantedRevocations(testLedger: TestLedger) {
  const { revocations } = testLedger.ledger
  const ids = await idsOf(testLedger)
  const want = async (person: number) =>
    (
      await revocations.request({
        ...{ credentialId: `C-${person}`, issuanceId: ids.get(person) ?? null, decision },
        correction: person === 6 || person === 4 ? correctionOf(testLedger, person) : null,
      })
    ).id
  const called = async (person: number, outcome: 'accepted' | 'unknown' | null) => {
    const id = await want(person)
    const claim = await revocations.claim(id, 3_600_000)
    const end = { status: null, code: null, words: '' }
    const state = outcome === 'accepted' ? outcome : 'unconfirmed'
    if (outcome && claim) await revocations.end({ id, claim }, { class: outcome, ...end }, { state, waitMs: 0 })
    return id
  }
  const revocationIds = {
    wanted: await want(4),
    sending: await called(5, null),
    accepted: await called(6, 'accepted'),
    unconfirmed: await called(9, 'unknown'),
  }
  await testLedger.ledger.report.apply({ ...nothingNew, moves: movesOf(ids, [[6, 'issued', 'revoked']]) })
  // A call that never ended.
  await testLedger.database.query(
    `UPDATE revocation SET deadline_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
    [await called(99, null)],
  )
  return revocationIds
}

/** Person 40: the first person of an unfinished adoption. */
async function adoptedRow(testLedger: TestLedger): Promise<void> {
  const about = { issuanceKeys: [], itemKeys: [], hashes: [] }
  const batch = { fresh: [adoptedItem(testLedger, 40)], waiting: [], extraItems: [], recounted: [] }
  await testLedger.ledger.adoptions.write(adoption, about, () => ({ batch }))
}

export const adoption = { pipeline: 'spring', course: aCourse, certificateName: 'Welding' }
