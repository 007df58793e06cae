// Lists that name people who were forgotten, as the dry run said before.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { lockPublications } from '#src/ledger/runs/publication-lock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { forget, type Person, publish, type Rule, request } from './lists-of-people.ts'

const ada: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1990-01-01']
const bea: Person = ['bea@example.org', 'Bea', 'King', 'R9', '1990-01-01']
const byBirthday = { occurrence: ['Birth Date'] }
const refusedSince = /^Somebody with the same address, number or identity was forgotten on 20\d\d-\d\d-\d\d \(i1\)/
/** As if nobody had asked for it, but the retention had ended. */
const retained = `WITH expired AS (UPDATE erasure SET kind = 'retention', pipeline = 'spring')
  UPDATE erased_person SET rule = '[["Email"],["Birth Date"]]'`

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

  const cases: [what: string, row: Person, rule: Rule, outcome: string][] = [
    ['in another spelling of the name', ['ADA@example.org', 'ADA', 'king', 'R1', ''], {}, 'forgotten'],
    ['with the address, and the name of somebody else', ['ada@example.org', 'Bea', 'King', 'R2', ''], {}, 'invalid'],
    ['by another rule of identity', ada, { identity: ['Register Number'] }, 'forgotten'],
    ['on another occasion', ['ada@example.org', 'Ada', 'King', 'R1', '1999-01-01'], byBirthday, 'forgotten'],
    ['for another course', ada, { course: otherCourse }, 'accepted'],
    ['under another address', ['king@example.org', 'Ada', 'King', 'R1', ''], {}, 'accepted'],
    ['although the row is invalid otherwise', ['ada@example.org', 'Ada', 'King', 'R1', 'no date'], {}, 'forgotten'],
    ['in an invalid row without a name', ['ada@example.org', '', '', 'R1', 'no date'], {}, 'forgotten'],
    [
      'in an invalid row of someone with another name',
      ['ada@example.org', 'Bea', 'King', '', 'no date'],
      {},
      'invalid',
    ],
  ]
  test('issues nobody who may be the person', async () => {
    await using ledger = await openTestLedger()
    for (const [what, row, rule, outcome] of cases) {
      const course = randomUUID()
      const { lines: known } = await publish(ledger, [ada], { course })
      await forget(ledger, [known[0]?.issuance ?? 0])
      const { outcomes, lines } = await publish(ledger, [row], { course, ...rule })
      expect(outcomes, what).toEqual([outcome])
      expect(lines[0]?.cells, what).toEqual(outcome === 'forgotten' ? [] : row)
    }
  })

  test('is told by the register number, if that is the identity', async () => {
    await using ledger = await openTestLedger()
    const rule = { identity: ['Register Number'] }
    await publish(ledger, [ada], rule)
    await forget(ledger, [1], rule)
    const moved: Person = ['king@example.org', 'Ada', 'King', 'r1', '']
    const other: Person = ['cy@example.org', 'Cy', 'Drake', 'R1', '']
    expect((await publish(ledger, [moved], rule)).outcomes).toEqual(['forgotten'])
    expect((await publish(ledger, [other], rule)).lines).toMatchObject([{ rule: 'forgotten_identity' }])
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

  test('recognizes the name from before a correction', async () => {
    await using ledger = await openTestLedger()
    const married: Person = ['ada@example.org', 'Ada', 'Lovelace', 'R9', '1990-01-01']
    const rule = { identity: ['Register Number'] }
    await publish(ledger, [ada, married], rule)
    await withoutTriggers(ledger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 2')
    await forget(ledger, [2], rule)
    const before: Person = ['ada@example.org', 'Ada', 'King', 'R7', '']
    expect((await publish(ledger, [before], rule)).outcomes).toEqual(['forgotten'])
  })

  test('issues again once the person is released', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1], {}, true)
    const { outcomes, lines } = await publish(ledger, [ada])
    expect(outcomes).toEqual(['accepted'])
    expect(lines[0]?.issuance).not.toBe(1)
  })

  test('does not count as new for the brake', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada, bea])
    await forget(ledger, [1])
    const carl: Person = ['carl@example.org', 'Carl', 'Doe', 'R3', '']
    const { outcomes, run } = await publish(ledger, [ada, bea, carl], { more: { brake: { rows: 1 } } })
    expect(outcomes).toEqual(['forgotten', 'skipped', 'accepted'])
    expect(run).toMatchObject({ state: 'published' })
  })

  test('whose retention ended is skipped by its key, and refused with another name', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada])
    await forget(ledger, [1])
    await ledger.database.query(retained)
    expect((await publish(ledger, [ada])).lines).toMatchObject([
      { outcome: 'skipped', cells: ada, issuance: 1, forgotten: false },
    ])
    const renamed: Person = ['ada@example.org', 'Bea', 'King', 'R2', '']
    expect((await publish(ledger, [renamed])).lines).toMatchObject([
      {
        rule: 'forgotten_identity',
        sentence: expect.stringMatching(/^The data of somebody .* expired on 20.* \(i1\), and/),
      },
    ])
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

  test('whose retention ended is issued on another occasion, but not because the rule has changed', async () => {
    await using ledger = await openTestLedger()
    await publish(ledger, [ada], byBirthday)
    await forget(ledger, [1])
    await ledger.database.query(retained)
    const later: Person = ['ada@example.org', 'Ada', 'King', 'R1', '1999-01-01']
    expect((await publish(ledger, [ada, later], byBirthday)).outcomes).toEqual(['skipped', 'accepted'])
    const otherwise = await publish(ledger, [['ada@example.org', 'Ada', 'King', 'R1', '2000-01-01']], {
      identity: ['Register Number'],
    })
    expect(otherwise.lines).toMatchObject([{ outcome: 'invalid', rule: 'person_twice' }])
  })
})

describeWithDatabase('a list that names somebody of whom only an invalid row was forgotten', () => {
  const broken: Person = ['ada@example.org', 'Ada', 'King', 'R1', 'no date']

  /** Publishes a list with the row, and forgets its person. @returns the erasure and the row */
  async function forgetRow(ledger: TestLedger, person: Person, rule: Rule = {}) {
    const { run, outcomes } = await publish(ledger, [person], rule)
    expect(outcomes).toEqual(['invalid'])
    const row = { run: run?.id ?? '', row: 2 }
    return { erasure: await forget(ledger, { rows: [row] }), row }
  }

  const cases: [what: string, row: Person, rule: Rule, outcome: string][] = [
    ['with the row as it was', broken, {}, 'forgotten'],
    ['with a corrected row', ada, {}, 'forgotten'],
    ['by another rule of identity', ada, { identity: ['Register Number'] }, 'forgotten'],
    ['and somebody else at the address', ['ada@example.org', 'Bea', 'King', 'R2', '1990-01-01'], {}, 'invalid'],
    ['for another course', ada, { course: otherCourse }, 'accepted'],
  ]
  test('issues nobody who may be the person', async () => {
    await using ledger = await openTestLedger()
    for (const [what, row, rule, outcome] of cases) {
      const course = randomUUID()
      await forgetRow(ledger, broken, { course })
      const { outcomes, lines, run } = await publish(ledger, [row], { course, ...rule })
      expect(outcomes, what).toEqual([outcome])
      expect(lines[0]?.cells, what).toEqual(outcome === 'forgotten' ? [] : row)
      if (outcome !== 'forgotten') continue
      const reason = expect.stringMatching(/^forgotten on 20\d\d-\d\d-\d\d$/)
      expect(lines[0], what).toMatchObject({ outcome: 'skipped', issuance: null, reason })
      expect(run, what).toMatchObject({ rows: 1, skipped: 1, invalid: 0, accepted: 0 })
    }
  })

  test('is named by the erasure, because its file shows the person', async () => {
    await using ledger = await openTestLedger()
    const { erasures } = ledger.ledger
    const { erasure, row } = await forgetRow(ledger, broken)
    const { run } = await publish(ledger, [ada])
    const files = await erasures.sourceFiles(await erasures.content(erasure))
    expect(files.map((file) => file.run)).toEqual([row.run, run?.id])
    expect(await erasures.runsToClean(erasure)).toEqual([])
  })

  test('issues the person once they are released', async () => {
    await using ledger = await openTestLedger()
    const { row } = await forgetRow(ledger, broken)
    await forget(ledger, { rows: [row] }, {}, true)
    expect(await ledger.queryOne('SELECT count(*) AS kept FROM erased_identifier')).toEqual({ kept: 0 })
    expect((await publish(ledger, [ada])).outcomes).toEqual(['accepted'])
  })

  test('names a learner whose completion was forgotten before it was in a list', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, queryOne } = testLedger
    await publish(testLedger, [bea])
    const [Email, first, last] = ada
    const cells = { Email, 'First Name': first, 'Last Name': last }
    const completion = { learner: '7', course: 'FIRE-1', completedAt: new Date(0), cells }
    const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await ledger.completions.ingest(source, [completion], 'poll')
    await forget(testLedger, { completions: [1] })
    expect(await queryOne('SELECT cells, starts_with(learner, $1) AS gone FROM completion', ['forgotten:'])).toEqual({
      ...{ cells: {}, gone: true },
    })
    expect((await publish(testLedger, [ada])).outcomes).toEqual(['forgotten'])
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
