// Which deliveries each verb is about: one of every kind, in the pipeline in question, in another one, and in another
// environment.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { recipients } from '#test/support/domain-objects.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, publish, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const day = 86_400_000

/** Columns of a delivery of an issued credential to `campus`, due now, and of its issuance. */
const kinds = {
  pending: {},
  'pending, later': { later: true },
  'pending, later, refused': { later: true, refused: true },
  'pending, refused': { refused: true },
  'pending, gone': { gone: true },
  'pending, another outcome by now': { now: 'revoked' },
  'pending, to another target': { target: 'hooks' },
  'pending, later, to another target': { target: 'hooks', later: true },
  verified: { state: 'verified' },
  'verified, later, refused': { state: 'verified', later: true, refused: true },
  written: { state: 'written' },
  incomplete: { state: 'incomplete' },
  'incomplete, with a link': { state: 'incomplete', link: 'https://a.example' },
  'incomplete, with a link, another outcome by now': { state: 'incomplete', link: 'https://a.example', now: 'revoked' },
  'incomplete, to another target': { state: 'incomplete', target: 'hooks', link: 'https://a.example' },
  drifted: { state: 'drifted' },
  failed: { state: 'failed' },
  'failed, gone': { state: 'failed', gone: true },
  'failed, to another target': { state: 'failed', target: 'hooks' },
} satisfies Record<string, Columns>

interface Columns {
  state?: string
  target?: string
  later?: boolean
  refused?: boolean
  gone?: boolean
  link?: string
  now?: string
}

type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
const places = ['spring', 'autumn', 'production']

async function openKinds(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { database } = testLedger
  const production = await openWholeLedger(database, 'production')
  await testLedger.publish(recipients(names.length))
  await testLedger.publish(recipients(names.length, 100), { pipeline: 'autumn' })
  await publish(production, recipients(names.length))
  let id = 0
  for (const _ of places)
    for (const name of names) {
      const { state = 'pending', target = 'campus', now = 'issued', ...more }: Columns = kinds[name]
      const { later = false, refused = false, gone = false, link = null } = more
      await withoutTriggers(
        database,
        `UPDATE issuance SET state = $2, credential_id = 'C', verifier_link = $3, issue_date = '2026-03-01' WHERE id = $1`,
        [++id, now, link],
      )
      await database.query(
        `INSERT INTO delivery (issuance_id, target, wanted, state, due_at, refused, gone, problem)
         VALUES ($1::int, $2, 'issued', $3, clock_timestamp() + CASE WHEN $4 THEN interval '1 day' ELSE -make_interval(mins => $1::int) END, $5, $6, CASE WHEN $6 THEN 'It has gone.' END)`,
        [id, target, state, later, refused, gone],
      )
    }
  return testLedger
}

/** A delivery as the tests name it: that of the pipeline `spring` by its kind only. */
function nameOf(id: number): string {
  const place = places[Math.floor((id - 1) / names.length)] ?? ''
  const name = names[(id - 1) % names.length] ?? ''
  return place === 'spring' ? name : `${name} (${place})`
}

async function snapshot({ database }: TestLedger): Promise<Map<number, string>> {
  const { rows } = await database.query<{ id: number; values: string }>('SELECT id, t::text AS values FROM delivery t')
  return new Map(rows.map(({ id, values }) => [id, values]))
}

/** Which deliveries a verb changes or adds. */
async function changedBy(testLedger: TestLedger, verb: () => Promise<unknown>): Promise<string[]> {
  const before = await snapshot(testLedger)
  await verb()
  const after = await snapshot(testLedger)
  return [...after]
    .filter(([id, values]) => before.get(id) !== values)
    .map(([id]) => nameOf(id))
    .sort()
}

const inPlaces = (own: readonly Kind[], ...others: string[]) =>
  [...own, ...others.flatMap((place) => own.map((name) => `${name} (${place})`))].sort()

const campus = { pipeline: 'spring', name: 'campus', showsOne: false, learnersOf: null }
const due: Kind[] = ['pending', 'pending, refused', 'pending, gone']
const waitingLater: Kind[] = ['pending, later', 'pending, later, refused']

describeWithDatabase('deliveries of every kind', () => {
  test('are due if they are pending, their time has come and their outcome is still the same', async () => {
    await using testLedger = await openKinds()
    await using unordered = await openUnordered(testLedger)
    const { deliveries } = unordered.ledger
    const found = async (limit: number) => (await deliveries.due(campus, limit)).map(({ id }) => nameOf(id))
    // The later a delivery was added, the longer it has been due.
    expect(await found(99)).toEqual(due.toReversed())
    expect(await found(2)).toEqual(due.toReversed().slice(0, 2))
  })

  test('are delivered again, at an operator’s request, unless they are due anyway or done', async () => {
    await using testLedger = await openKinds()
    const again: Kind[] = [
      ...['incomplete', 'incomplete, with a link', 'incomplete, with a link, another outcome by now'],
      ...['drifted', 'failed', 'failed, gone', 'pending, gone', ...waitingLater],
    ] as Kind[]
    let count = 0
    const changed = await changedBy(testLedger, async () => {
      count = await testLedger.ledger.deliveries.again('spring', [campus])
    })
    expect(changed).toEqual(inPlaces(again))
    expect(count).toBe(again.length)
  })

  test('are completed once what was missing is known', async () => {
    await using testLedger = await openKinds()
    const complete = (needs: string[]) =>
      changedBy(testLedger, () => testLedger.ledger.deliveries.complete([{ ...campus, needs }]))
    expect(await complete(['link'])).toEqual(['incomplete, with a link'])
    expect(await complete(['issued', 'credential'])).toEqual(['incomplete'])
  })

  test.each([
    ['all that wait', false, waitingLater],
    ['those that were refused', true, ['pending, later, refused'] as Kind[]],
  ])('are hurried in every pipeline of the environment: %s', async (_, refusedOnly, hurried) => {
    await using testLedger = await openKinds()
    const changed = await changedBy(testLedger, () => testLedger.ledger.deliveries.hurry(['campus'], refusedOnly))
    expect(changed).toEqual(inPlaces(hurried, 'autumn'))
  })

  test('are postponed if they are pending', async () => {
    await using testLedger = await openKinds()
    const { deliveries } = testLedger.ledger
    const pending: Kind[] = [...due, 'pending, another outcome by now']
    const postpone = (ms: number) => changedBy(testLedger, () => deliveries.postpone('spring', 'campus', ms))
    expect(await postpone(3 * day)).toEqual(inPlaces([...pending, ...waitingLater]))
    expect(await deliveries.due(campus, 99)).toEqual([])
  })

  test('are noted one by one, unless another outcome has to be delivered by now', async () => {
    await using testLedger = await openKinds()
    const note = (wanted: 'issued' | 'revoked') =>
      changedBy(testLedger, () => testLedger.ledger.deliveries.note({ id: 1, wanted }, { kind: 'written' }))
    expect(await note('revoked')).toEqual([])
    expect(await note('issued')).toEqual(['pending'])
  })

  test('are given up once their target has gone', async () => {
    await using testLedger = await openKinds()
    const giveUp = () =>
      changedBy(testLedger, () => testLedger.ledger.deliveries.giveUp('spring', 'campus', 'It has gone.'))
    expect(await giveUp()).toEqual(inPlaces([...due, 'pending, another outcome by now', ...waitingLater]))
  })

  test('are not given up because of another target or environment that has gone', async () => {
    await using testLedger = await openKinds()
    const { deliveries } = testLedger.ledger
    expect(await deliveries.goneReason('campus')).toBe('It has gone.')
    expect(await deliveries.goneReason('hooks')).toBeNull()
    await testLedger.database.query(
      `UPDATE delivery SET gone = target = 'hooks' OR id > $1, problem = 'another problem'`,
      [2 * names.length],
    )
    expect(await deliveries.goneReason('campus')).toBeNull()
    expect(await changedBy(testLedger, () => deliveries.giveUp('spring', 'campus', 'It has gone.'))).toEqual([])
  })

  test.each<[what: string, change: string, waiting: string[]]>([
    ['as they are', 'true', ['spring', 'autumn']],
    ['due in one pipeline', `i.pipeline = 'autumn'`, ['autumn']],
    ['due in another environment', `i.environment = 'production'`, []],
    ['due with another outcome by now', `i.state = 'revoked'`, []],
    ['due at another target', `t.target = 'hooks'`, []],
    ['not pending', `t.state = 'verified'`, []],
    ['pending, but later', `t.due_at > clock_timestamp()`, []],
  ])('wait in a pipeline, %s', async (_, kept, waiting) => {
    await using testLedger = await openKinds()
    await testLedger.database.query(
      `DELETE FROM delivery WHERE id NOT IN (SELECT t.id FROM delivery t JOIN issuance i ON i.id = t.issuance_id WHERE ${kept})`,
    )
    const targets = ['spring', 'autumn', 'winter'].map((pipeline) => ({ ...campus, pipeline }))
    expect(await testLedger.ledger.deliveries.waiting(targets)).toEqual(waiting)
  })

  test('are added for a new target once, for the outcomes of its pipeline', async () => {
    await using testLedger = await openKinds()
    const { deliveries } = testLedger.ledger
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state = 'requested' WHERE id = 1`)
    const later = [{ ...campus, name: 'later' }]
    expect(await deliveries.requestAll('spring', later)).toBe(names.length - 1)
    expect(await deliveries.requestAll('spring', later)).toBe(0)
    // A target with one credential for each learner shows only people with a completion.
    const one = [{ ...campus, name: 'one', showsOne: true }]
    expect(await deliveries.requestAll('spring', one)).toBe(0)
    await testLedger.database.query(
      `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state, run_id, row_number)
       SELECT 'development', 'campus', 'spring', 'ada', 'FIRE-1', now(), 'poll', '{}', 'taken', run_id, row_number FROM issuance WHERE id = 2`,
    )
    expect(await deliveries.requestAll('spring', one)).toBe(1)
  })

  test('are counted by pipeline, target and state, with the problem that is due last', async () => {
    await using testLedger = await openKinds()
    const { database, ledger } = testLedger
    await database.query(`UPDATE delivery SET problem = 'the latest' WHERE id = $1`, [
      names.indexOf('pending, later') + 1,
    ])
    const none = {
      pending: 0,
      refused: 0,
      written: 0,
      verified: 0,
      incomplete: 0,
      drifted: 0,
      failed: 0,
      accountDeleted: 0,
      problem: null,
    }
    const toHooks = { ...none, target: 'hooks', pending: 2, incomplete: 1, failed: 1 }
    const toCampus = {
      ...none,
      ...{ target: 'campus', pending: 6, refused: 2, written: 1, verified: 2, incomplete: 3, drifted: 1, failed: 2 },
      problem: 'It has gone.',
    }
    expect(await ledger.deliveries.counts()).toEqual([
      { pipeline: 'autumn', ...toCampus },
      { pipeline: 'autumn', ...toHooks },
      { pipeline: 'spring', ...toCampus, problem: 'the latest' },
      { pipeline: 'spring', ...toHooks },
    ])
    const all = await (await openWholeLedger(database, 'any')).deliveries.counts()
    expect(all.map(({ pending }) => pending)).toEqual([6, 2, 12, 4])
  })
})

describeWithDatabase('the outcomes of a run', () => {
  /** Issuances of a list, by what is known of them; whether a target is sent their outcome. */
  const outcomes: [what: string, isSent: boolean, state: string, tell: string | null][] = [
    ['issued', true, 'issued', null],
    ['not final', false, 'requested', null],
    ['issued, and delivered', false, 'issued', `'issued', 'verified'`],
    ['revoked since it was delivered', true, 'revoked', `'issued', 'verified'`],
    ['delivered in part, and complete now', true, 'issued', `'issued', 'incomplete'`],
    ['delivered in part, and still not complete', false, 'failed', `'failed', 'incomplete'`],
    ['to be delivered', false, 'issued', `'issued', 'pending'`],
  ]

  async function openRun(): Promise<{ testLedger: TestLedger; run: string }> {
    const testLedger = await openTestLedger()
    const { database } = testLedger
    const run = await testLedger.publish(recipients(outcomes.length))
    for (const [index, [, , state, tell]] of outcomes.entries()) {
      await withoutTriggers(
        database,
        `UPDATE issuance SET state = $2, credential_id = CASE WHEN $2 = 'failed' THEN NULL ELSE 'C' END WHERE id = $1`,
        [index + 1, state],
      )
      if (tell)
        await database.query(
          `INSERT INTO delivery (issuance_id, target, wanted, state, due_at) SELECT $1, target, ${tell}, '2026-01-01' FROM unnest(ARRAY['campus', 'hooks']) target`,
          [index + 1],
        )
    }
    return { testLedger, run }
  }
  const request = ({ ledger }: TestLedger, run: string, more = {}) =>
    ledger.deliveries.request(run, [{ ...campus, needs: ['credential'], ...more }])
  /** The issuances whose delivery to the target is due now. */
  async function dueAt({ database }: TestLedger, target = 'campus'): Promise<number[]> {
    const { rows } = await database.query<{ id: number }>(
      `SELECT issuance_id AS id FROM delivery WHERE target = $1 AND state = 'pending' AND due_at > '2026-02-01' ORDER BY issuance_id`,
      [target],
    )
    return rows.map(({ id }) => id)
  }
  const sent = outcomes.flatMap(([, isSent], index) => (isSent ? [index + 1] : []))

  test('are due at a target if it does not have them', async () => {
    const { testLedger, run } = await openRun()
    await using _ = testLedger
    await request(testLedger, run)
    expect(await dueAt(testLedger)).toEqual(sent)
    expect(await dueAt(testLedger, 'hooks')).toEqual([])
    // What this target needs is still not known.
    await testLedger.ledger.deliveries.request(run, [
      { ...campus, needs: ['credential'] },
      { ...campus, name: 'hooks', needs: ['link'] },
    ])
    expect(await dueAt(testLedger, 'hooks')).toEqual(
      outcomes.flatMap(([what, isSent], index) => (isSent && !what.includes('complete') ? [index + 1] : [])),
    )
  })

  test('are not those of another run, of another pipeline, or of rows that it skipped', async () => {
    const { testLedger, run } = await openRun()
    await using _ = testLedger
    const { database } = testLedger
    const others = [
      await testLedger.publish(recipients(1, 50)),
      await testLedger.publish(recipients(1, 51), { pipeline: 'autumn' }),
      await testLedger.publish(recipients(1, 52)),
    ]
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = 'issued', credential_id = 'C' WHERE run_id = ANY($1)`,
      [others],
    )
    const rowOf = (outcome: string) =>
      `INSERT INTO run_row (run_id, row_number, outcome, cells, issuance_id) SELECT $1, 90 + id, '${outcome}', '[]', id FROM issuance WHERE run_id = $2`
    await withoutTriggers(database, rowOf('accepted'), [run, others[1]])
    await withoutTriggers(database, rowOf('skipped'), [run, others[2]])
    await request(testLedger, run)
    expect(await dueAt(testLedger)).toEqual(sent)
  })

  test('are not due at a target that shows one credential for each learner, if no learner is known', async () => {
    const { testLedger, run } = await openRun()
    await using _ = testLedger
    await request(testLedger, run, { name: 'one', showsOne: true })
    expect(await dueAt(testLedger, 'one')).toEqual([])
  })
})
