// Lists that name people who were forgotten, as the dry run said before.

import { expect, test } from 'vitest'
import { lockPublications } from '#src/ledger/runs/publication-lock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { forget, type Person, publish, type Rule, request } from './lists-of-people.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const bea: Person = ['bea@example.org', 'Bea', 'King', 'R9', '1990-01-01']
const refusedSince = /^Somebody with the same address, number or identity was forgotten on 20\d\d-\d\d-\d\d \(i1\)/
const retained = `UPDATE erasure SET kind = 'retention', pipeline = 'spring'`

describeWithDatabase('a list that names a person who was forgotten', () => {
  test('keeps nothing of the row, and counts it as known', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea])
    await forget(ledger, [1])
    const { lines, run } = await publish(ledger, [ada, bea])
    expect(lines[0]).toEqual({
      ...{ outcome: 'skipped', cells: [], raw: null, rule: null, sentence: null, issuance: 1, forgotten: true },
      reason: expect.stringMatching(/^forgotten on 20\d\d-\d\d-\d\d$/),
    })
    expect(lines[1]).toMatchObject({ outcome: 'skipped', cells: bea, issuance: 2, forgotten: false })
    expect(run).toMatchObject({ rows: 2, skipped: 2, accepted: 0, invalid: 0, known: 2, changed: 0 })
    expect(await ledger.queryOne('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
  })

  test.each<[what: string, row: Person, rule: Rule, outcome: string]>([
    ['in another spelling of the name', ['ADA@example.org', 'ADA', 'king', 'R1', ''], {}, 'forgotten'],
    ['and somebody else, with the name that differs', ['ada@example.org', 'Bea', 'King', 'R2', ''], {}, 'invalid'],
    ['by another rule of identity', ada, { identity: ['Register Number'] }, 'forgotten'],
    [
      'at the address of someone with another name',
      ['ada@example.org', 'Bea', 'King', 'R2', ''],
      { identity: ['Register Number'] },
      'accepted',
    ],
    ['for another course', ada, { course: otherCourse }, 'accepted'],
    ['although the row is invalid otherwise', ['ada@example.org', 'Ada', 'King', 'R1', 'no date'], {}, 'forgotten'],
    [
      'in an invalid row of someone with another name',
      ['ada@example.org', 'Bea', 'King', '', 'no date'],
      {},
      'invalid',
    ],
  ])('%s', async (_, row, rule, outcome) => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    const { outcomes, lines } = await publish(ledger, [row], rule)
    expect(outcomes).toEqual([outcome])
    expect(lines[0]?.cells).toEqual(outcome === 'forgotten' ? [] : row)
  })

  test('tells the two remedies if it is unclear who is meant', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    const { lines } = await publish(ledger, [['ada@example.org', 'Bea', 'King', 'R2', '']])
    expect(lines).toMatchObject([{ rule: 'forgotten_identity', sentence: expect.stringMatching(refusedSince) }])
    expect(lines[0]?.sentence).toContain('give them an address, number or identity of their own')
    expect(lines[0]?.sentence).toContain('credsync forget i1 --release')
    expect(lines[0]?.sentence).not.toMatch(/Ada|Bea|King/)
  })

  test('refuses no row of the same file for a conflict with the person', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    const { lines } = await publish(ledger, [ada, ['ada@example.org', 'Bea', 'King', 'R2', ''], bea])
    expect(lines.map(({ rule, outcome }) => rule ?? outcome)).toEqual(['skipped', 'forgotten_identity', 'accepted'])
  })

  test('issues another occasion, and not the same one', async () => {
    await using ledger = await openTestLedger()
    const rule = { occurrence: ['Birth Date'] }
    await publish(ledger, [ada], rule)
    await forget(ledger, [1], rule)
    const later: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1991-01-01']
    expect((await publish(ledger, [ada, later], rule)).outcomes).toEqual(['forgotten', 'accepted'])
  })

  test.each([
    ['known', ''],
    ['not known', 'UPDATE erased_issuance SET occurrence_fields = NULL'],
  ])(
    'refuses who may be that person, if occasions are told apart by other fields than those, which are %s',
    async (_, before) => {
      await using ledger = await openTestLedger()
      await publish(ledger, [ada], { occurrence: ['Birth Date'] })
      await forget(ledger, [1], { occurrence: ['Birth Date'] })
      if (before !== '') await ledger.database.query(before)
      const carl: Person = ['ada@example.org', 'Carl', 'King', 'R3', '']
      const rule = { identity: ['Register Number'], occurrence: ['Register Number'] }
      const { lines } = await publish(ledger, [ada, carl], rule)
      expect(lines.map(({ rule, outcome }) => rule ?? outcome)).toEqual(['forgotten_identity', 'accepted'])
      const misspelled: Person = ['ada@example.org', 'Adda', 'King', 'R1', '']
      const {
        lines: [line],
      } = await publish(ledger, [misspelled], { occurrence: ['Register Number'] })
      expect(line?.rule).toBe('forgotten_identity')
    },
  )

  test('refuses who has that identity, if it is several fields and nothing else agrees', async () => {
    await using ledger = await openTestLedger()
    const identity = ['Last Name', 'Birth Date']
    await publish(ledger, [ada], { identity })
    await forget(ledger, [1], { identity })
    const elsewhere: Person = ['king@example.org', 'Ada', 'King', 'R5', '1990-01-01']
    const other: Person = ['king@example.org', 'Ada', 'King', 'R5', '1991-01-01']
    const { lines } = await publish(ledger, [elsewhere, other], { identity, occurrence: ['Register Number'] })
    expect(lines.map(({ rule, outcome }) => rule ?? outcome)).toEqual(['forgotten_identity', 'accepted'])
  })

  test('recognizes the name from before a correction', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea])
    await withoutTriggers(ledger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 2')
    await forget(ledger, [2])
    const withNewKey: Person = ['bea@example.org', 'Ada', 'King', 'R9', '']
    expect((await publish(ledger, [withNewKey])).outcomes).toEqual(['forgotten'])
  })

  test('issues again once the person is released', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1], {}, true)
    const { outcomes, lines } = await publish(ledger, [ada])
    expect(outcomes).toEqual(['accepted'])
    expect(lines[0]?.issuance).not.toBe(1)
  })

  test('does not count as new for the brake, nor as gone for the next list', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea])
    await forget(ledger, [1])
    const carl: Person = ['carl@example.org', 'Carl', 'Doe', 'R3', '']
    const { outcomes, run } = await publish(ledger, [ada, bea, carl], { more: { brake: { rows: 1 } } })
    expect(outcomes).toEqual(['forgotten', 'skipped', 'accepted'])
    expect(run).toMatchObject({ state: 'published', gone: 0 })
  })

  test('leaves nothing behind if the brake holds it, and publishes the same after the approval', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await publish(testLedger, [ada])
    await forget(testLedger, [1])
    const { run, lines } = await publish(testLedger, [ada, bea], { more: { brake: { rows: 0 } } })
    expect(run?.state).toBe('braked')
    expect(lines).toEqual([])
    expect(await testLedger.queryOne('SELECT count(*) AS staged FROM staged_row')).toEqual({ staged: 0 })
    expect(await ledger.brake.approve(run?.id ?? '', { by: 'ada', why: '' })).toBe(true)
  })

  test('that was retained is skipped by its key, and refused under another one', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    await ledger.database.query(retained)
    const { lines } = await publish(ledger, [ada])
    expect(lines).toMatchObject([{ outcome: 'skipped', cells: ada, issuance: 1, forgotten: false }])
    const renamed: Person = ['ada@example.org', 'Bea', 'King', 'R2', '']
    expect((await publish(ledger, [renamed])).lines).toMatchObject([
      {
        rule: 'forgotten_identity',
        sentence: expect.stringMatching(/^The data of somebody .* expired on 20.* \(i1\), and/),
      },
    ])
    const otherwise = await publish(ledger, [ada], { identity: ['Register Number'] })
    expect(otherwise.lines).toMatchObject([{ outcome: 'invalid', rule: 'person_twice' }])
    const invalid: Person = ['ada@example.org', 'Ada', 'King', 'R1', 'no date']
    expect((await publish(ledger, [invalid])).lines).toMatchObject([{ outcome: 'invalid', cells: invalid }])
  })

  test('may identify people by different fields', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    const more = { primaryVaries: { occurrence: [] } }
    expect((await publish(ledger, [ada, bea], { more })).outcomes).toEqual(['forgotten', 'accepted'])
  })
})

describeWithDatabase('a person who is forgotten while a list is published', () => {
  test('is in one of the two: the request waits for the publication', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await publish(testLedger, [ada])
    const waiting = `SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND NOT granted`
    // As while a list is being published.
    const requested = await database.transaction(async (sql) => {
      await lockPublications(sql, [aCourse])
      const isWritten = request(testLedger, [1])
      await expect.poll(() => testLedger.queryOne(waiting), { timeout: 20_000 }).toEqual({ count: 1 })
      expect(await ledger.erasures.open()).toEqual([])
      return { isWritten }
    })
    await requested.isWritten
    expect(await ledger.erasures.open()).toHaveLength(1)
  })

  test('leaves no row of a list that is published between the request and the end', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    const id = await request(ledger, [1])
    expect((await publish(ledger, [ada])).outcomes).toEqual(['forgotten'])
    while ((await ledger.ledger.erasures.emptyNext(id)) > 0);
    expect(await ledger.queryOne(`SELECT count(*) AS found FROM run_row WHERE cells::text LIKE '%Ada%'`)).toEqual({
      found: 0,
    })
  })
})
