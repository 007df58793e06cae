// Which issuances, claims and courses the items of a page are about: those of this environment, and no others.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import type { Move } from '#src/ledger/report/move-issuances.ts'
import type { Database } from '#src/platform/database/database.ts'
import { nothingNew } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, aRecipient, aStagedRow, nothingShown, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, publish } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const claim = (issuanceId: number, key: string, state: Move['from'] = 'requested') => ({
  ...{ issuanceId, key, state },
  fingerprint: `fp-${key}`,
})
const item = (issuanceId: number, key: string, fingerprint = `fp-${key}`) => ({ issuanceId, key, fingerprint })

/** Rows 1 and 2 of this environment and row 3 of another, whose person is also that of row 1; all of them requested. */
async function openRequested() {
  const testLedger = await openTestLedger()
  const production = await openWholeLedger(testLedger.database, 'production')
  await testLedger.publish(recipients(2))
  await publish(production, recipients(1))
  await withoutTriggers(
    testLedger.database,
    `UPDATE issuance SET state = 'requested', first_sent_at = clock_timestamp(), last_sent_at = clock_timestamp()`,
  )
  return { testLedger, production }
}

async function nameCourses(database: Database, names: [environment: string, course: string, name: string | null][]) {
  for (const name of names)
    await database.query('INSERT INTO course (environment, course_uuid, certificate_name) VALUES ($1, $2, $3)', name)
}

const namesOf = async (database: Database, environment = 'development') =>
  Object.fromEntries(
    (
      await database.query<{ course: string; name: string | null }>(
        'SELECT course_uuid AS course, certificate_name AS name FROM course WHERE environment = $1',
        [environment],
      )
    ).rows.map(({ course, name }) => [course, name]),
  )

describeWithDatabase('a claim', () => {
  test('needs the state of its own row, not that of another', async () => {
    const { testLedger } = await openRequested()
    await using _ = testLedger
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'unconfirmed' WHERE id = 2`)
    const claims = [claim(1, 'x', 'unconfirmed'), claim(2, 'y', 'requested')]
    expect(await testLedger.ledger.report.apply({ ...nothingNew, claims })).toMatchObject({ claimed: 0 })
  })
})

/** Only an issuance that has an item can have a second one. */
const claimEach = (database: Database) =>
  database.query(
    `INSERT INTO report_claim (environment, item_key, issuance_id, fingerprint) SELECT environment, 'own ' || id, id, 'own ' || id FROM issuance`,
  )

describeWithDatabase('a surplus item', () => {
  const surplusOf = async (database: Database, environment: string) =>
    (
      await database.query<{ key: string }>(
        'SELECT item_key AS key FROM surplus_item WHERE environment = $1 ORDER BY item_key',
        [environment],
      )
    ).rows.map(({ key }) => key)

  test('that is known by both its fingerprint and its id is left as it is', async () => {
    const { testLedger } = await openRequested()
    await using _ = testLedger
    const { ledger, database } = testLedger
    await claimEach(database)
    await ledger.report.apply({ ...nothingNew, surplus: [item(1, 'fp-a', 'fp-a'), item(1, 'a', 'other')] })
    await ledger.report.apply({ ...nothingNew, surplus: [item(1, 'a')] })
    expect(await surplusOf(database, 'development')).toEqual(['a', 'fp-a'])
  })
})

describeWithDatabase('the name of a course', () => {
  const learn = async (database: Database) => {
    const ledger = await openWholeLedger(database, 'development')
    await ledger.report.apply({ ...nothingNew, certificateNames: [[aCourse, 'Welding']] })
    return namesOf(database)
  }

  test('is learned although the course is known for another reason, and other courses have other names', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await nameCourses(database, [
      ['development', aCourse, null],
      ['development', otherCourse, 'Cooking'],
      ['production', otherCourse, 'Welding'],
    ])
    expect(await learn(database)).toEqual({ [aCourse]: 'Welding', [otherCourse]: 'Cooking' })
  })

  test('is not learned if another course has it', async () => {
    await using testLedger = await openTestLedger()
    await nameCourses(testLedger.database, [['development', otherCourse, 'Welding']])
    expect(await learn(testLedger.database)).toEqual({ [otherCourse]: 'Welding' })
  })
})

describeWithDatabase('a row that moves', () => {
  test('keeps what the report has shown of it and no longer shows', async () => {
    const { testLedger } = await openRequested()
    await using _ = testLedger
    const shown = {
      ...{ reportStatus: 'Request inqueue', entityUuid: 'x', credentialId: 'C-1', verifierLink: 'https://a.example' },
      ...{ issueDate: '2026-03-01', validTill: '2027-03-01', revokedDate: '2026-03-02' },
    }
    const move = (fields: Move['fields']): Move => ({
      ...{ id: 1, from: 'requested', to: 'requested', event: 'report', reason: null, evidence: {} },
      fields,
    })
    for (const fields of [shown, nothingShown])
      await testLedger.ledger.report.apply({ ...nothingNew, moves: [move(fields)] })
    const { matchHashes } = aStagedRow(2, aRecipient(1), testLedger.ledger.hasher)
    expect((await testLedger.ledger.report.findCandidates(matchHashes ?? [], []))[0]?.shown).toEqual(shown)
  })

  test('keeps its batch if the report only shows new details of it', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await testLedger.publish(recipients(2))
    await prepareOne(ledger, 'spring', 2)
    const move = { id: 1, from: 'pending', event: 'report', reason: null, evidence: {}, fields: nothingShown } as const
    const phases = async () => (await database.query('SELECT phase FROM attempt')).rows
    await ledger.report.apply({ ...nothingNew, moves: [{ ...move, to: 'pending' }] })
    expect(await phases()).toEqual([{ phase: 'prepared' }])
    await ledger.report.apply({ ...nothingNew, moves: [{ ...move, to: 'unconfirmed' }] })
    expect(await phases()).toEqual([{ phase: 'dropped' }])
  })
})
