// Which lists notices are about: one of every kind, written into the ledger directly.

import { expect, test } from 'vitest'
import { arrivals, refusals, refusedLists, sentLists } from '#src/extensions/notices/ledger/list-readings.ts'
import type { Database } from '#src/platform/database/database.ts'
import { addNotice } from '#test/support/add-notice.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const environment = 'development'
const production = { environment: 'production' }
const now = new Date()
const from = hoursAgo(100)
const received = { received_at: hoursAgo(9), rows: 1, accepted: 1 }
const settled = { settled_at: hoursAgo(1) }
const justSettled = { settled_at: now }

const addRows = (database: Database, run: string, state: string, rows = 1) =>
  withoutTriggers(database, 'INSERT INTO run_count (run_id, state, rows, surplus) VALUES ($1, $2, $3, 0)', [
    run,
    state,
    rows,
  ])
const addSummary = (database: Database, run: string, more: Record<string, unknown> = {}) =>
  addNotice(database, `summary ${run}`, { kind: 'summary', facts: { run }, ...more })
const addResults = (database: Database, run: string, reported: number) =>
  database.query(`INSERT INTO write_back (run_id, target, wanted, written) VALUES ($1, 'results-file', 2, $2)`, [
    run,
    reported,
  ])

describeWithDatabase('lists with a summary to be made', () => {
  /** Each with what is added to it, if it is published and all of its rows are sent. */
  const first: [
    name: string,
    isRead: boolean,
    more: Record<string, unknown>,
    add?: (database: Database, run: string) => Promise<unknown>,
  ][] = [
    ['sent', true, {}],
    ['came at the beginning', true, { received_at: from }],
    ['came before', false, { received_at: hoursAgo(101) }],
    ['summarized', false, { summarized_at: now }],
    ['held', false, { state: 'braked' }],
    ['adopted', false, { adopts: 'Welding' }],
    ['corrected', false, { corrects: 1 }],
    ['of production', false, production],
    ['sent in part', false, {}, (db, run) => addRows(db, run, 'sending')],
    ['with a summary', false, {}, (db, run) => addSummary(db, run)],
    ['with a summary that ended', true, {}, (db, run) => addSummary(db, run, { recovered_at: now })],
    ['with a summary of production', true, {}, (db, run) => addSummary(db, run, production)],
  ]
  const last: typeof first = [
    ['settled', true, settled],
    ['settled, with written results', true, justSettled, (db, run) => addResults(db, run, 2)],
    ['settled, with results to be written', false, justSettled, (db, run) => addResults(db, run, 1)],
    ['settled long ago, with results to be written', true, settled, (db, run) => addResults(db, run, 1)],
    ['not settled', false, {}],
    ['settled in production', false, { ...settled, ...production }],
  ]

  test('are those whose rows are sent, and those that are settled since', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const [name, , more, add] of first) {
      const run = await addRun(database, name, { ...received, ...more })
      await add?.(database, run)
    }
    for (const [name, , more, add] of last) {
      const run = await addRun(database, name, { ...received, ...more, summarized_at: now })
      await addSummary(database, run)
      await add?.(database, run)
    }
    const other = async (name: string, more: Record<string, unknown>) =>
      addSummary(database, await addRun(database, name, { ...received, ...settled, summarized_at: now }), more)
    await other('another kind', { kind: 'person' })
    await other('ended', { recovered_at: now })
    await other('summary of production', production)
    const found = await sentLists(database, environment, from, now)
    const expected = [...first, ...last].flatMap(([name, isRead]) => (isRead ? [name] : []))
    expect(found.map(({ source }) => source).sort()).toEqual(expected.sort())
  })

  test('have the states of their rows, and are settled once their results are written; the oldest come first', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await using unordered = await openUnordered(testLedger)
    const later = await addRun(database, 'later', { ...received, ...justSettled })
    await addResults(database, later, 1)
    const earlier = await addRun(database, 'earlier', { ...received, ...justSettled, received_at: hoursAgo(10) })
    await addResults(database, earlier, 2)
    await addRun(database, 'earliest', { ...received, ...settled, received_at: hoursAgo(11) })
    for (const rows of [2, 1]) await addRows(database, later, 'issued', rows)
    for (const rows of [1, -1]) await addRows(database, later, 'requested', rows)
    await addRows(database, earlier, 'failed')
    const found = await sentLists(unordered.database, environment, from, now)
    expect(found.map(({ source, states, settledAt }) => [source, states, settledAt !== null])).toEqual([
      ['earliest', {}, true],
      ['earlier', { failed: 1 }, true],
      ['later', { issued: 3 }, false],
    ])
  })
})

describeWithDatabase('refused lists', () => {
  const refused = { state: 'refused', refusal: 'No.', settled_at: hoursAgo(5) }

  test('are reported once, the oldest first, with the reason', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await using unordered = await openUnordered(testLedger)
    await addRun(database, 'later', { ...refused, settled_at: hoursAgo(4) })
    await addRun(database, 'earlier', refused)
    await addRun(database, 'at the beginning', { ...refused, settled_at: from, refusal: null })
    await addRun(database, 'rejected', { ...refused, settled_at: hoursAgo(3), rejected_at: now, rejected_by: 'Ada' })
    await addRun(database, 'reported', { ...refused, refusal_noted_at: now })
    await addRun(database, 'before', { ...refused, settled_at: hoursAgo(101) })
    await addRun(database, 'published', settled)
    await addRun(database, 'of production', { ...refused, ...production })
    const found = await refusedLists(unordered.database, environment, from, now)
    expect(found.map(({ source, sentence }) => `${source}: ${sentence}`)).toEqual([
      ...['at the beginning: ', 'earlier: No.', 'later: No.', 'rejected: An operator rejected it.'],
    ])
  })

  const followers: [name: string, isFollowed: boolean, more: Record<string, unknown>][] = [
    ['a published list', true, { rows: 2, invalid: 1, accepted: 1 }],
    ['a held list', true, { state: 'braked' }],
    ['a list of invalid rows', false, { rows: 1, invalid: 1, accepted: 0 }],
    ['a list that waits to be read', false, { state: 'received', rows: 0, accepted: 0 }],
    ['an adoption', false, { adopts: 'Welding' }],
    ['a correction', false, { corrects: 1 }],
    ['a list of autumn', false, { pipeline: 'autumn' }],
    ['a list of production', false, production],
    ['an earlier list', false, { received_at: hoursAgo(60) }],
    ['a list that came at the same time', false, { received_at: hoursAgo(50) }],
  ]
  test('are over after a list that was accepted, and after no other', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const [name, isFollowed, more] of followers) {
      const add = (source: string, columns: object) => addRun(database, source, { pipeline: name, ...columns })
      await add('of nobody', { ...refused, received_at: hoursAgo(70) })
      const run = await add('refused', { ...refused, received_at: hoursAgo(50) })
      await add('refused before', { ...refused, received_at: hoursAgo(55), settled_at: hoursAgo(54) })
      await add(name, { ...received, ...more })
      const found = await refusals(database, environment, [name])
      expect([name, found]).toMatchObject([name, isFollowed ? [] : [{ run, sentence: 'No.' }]])
    }
  })

  test('are counted since the last list that was accepted, whatever else was refused', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const add = (name: string, hours: number, more: Record<string, unknown> = {}) =>
      addRun(database, name, { ...refused, received_at: hoursAgo(hours), settled_at: hoursAgo(hours - 1), ...more })
    const accepted = [hoursAgo(35), hoursAgo(30)]
    await add('before', 40)
    for (const [index, at] of accepted.entries())
      await addRun(database, `accepted ${index}`, { ...received, received_at: at })
    await add('first', 20)
    await add('at the same time', 30, { received_at: accepted[1] })
    await add('last', 10)
    await add('between', 15)
    for (const [name, more] of Object.entries({
      ...{ adopted: { adopts: 'Welding' }, corrected: { corrects: 1 }, autumn: { pipeline: 'autumn' } },
      ...{ production, received: { state: 'received' } },
    }))
      await add(name, 5, more)
    const first = await testLedger.queryOne<{ at: Date }>(
      `SELECT settled_at AS at FROM run WHERE source_name = 'first'`,
    )
    // The accepted lists are stored in another order than that in which they came.
    await withoutTriggers(database, `UPDATE run SET rows = rows WHERE source_name = 'accepted 0'`)
    await using unordered = await openUnordered(testLedger)
    expect(await refusals(unordered.database, environment, ['spring'])).toMatchObject([
      { source: 'last', lists: 3, since: first.at },
    ])
    await addRun(database, 'accepted in winter', { ...received, pipeline: 'winter' })
    await withoutTriggers(
      database,
      `UPDATE run SET pipeline = 'winter', received_at = (SELECT received_at FROM run WHERE source_name = 'accepted in winter') WHERE source_name = 'last'`,
    )
    expect(await refusals(database, environment, ['winter'])).toEqual([])
  })
})

describeWithDatabase('what came for a pipeline', () => {
  const read = async ({ database }: Pick<TestLedger, 'database'>, completions = false) =>
    (await arrivals(database, environment, [{ pipeline: 'spring', from, completions }])).map(({ run, rows }) =>
      [run?.slice(0, 1), rows].join(' '),
    )

  test('are its lists and copies, with their rows, in the order in which they came', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const add = (first: string, hours: number, more: Record<string, unknown> = {}) =>
      addRun(database, first, {
        ...{ id: `${first}0000000-0000-4000-8000-000000000000`, received_at: hoursAgo(hours), rows: 7, accepted: 7 },
        ...more,
      })
    await add('1', 1, { state: 'braked', would_accept: 3 })
    await add('2', 3)
    await add('3', 2, { state: 'refused' })
    await add('5', 5, { state: 'received' })
    await add('6', 0, { received_at: from })
    await add('7', 101)
    await add('8', 1, { pipeline: 'autumn' })
    await add('9', 1, production)
    await add('a', 1, { adopts: 'Welding' })
    await add('b', 1, { corrects: 1 })
    const copy = (path: string, run: string, at: Date, more: { pipeline?: string; environment?: string } = {}) =>
      database.query('INSERT INTO list_copy (environment, pipeline, run_id, path, at) VALUES ($1, $2, $3, $4, $5)', [
        ...[
          more.environment ?? environment,
          more.pipeline ?? 'spring',
          `${run}0000000-0000-4000-8000-000000000000`,
          path,
          at,
        ],
      ])
    await copy('late', '7', hoursAgo(0.5))
    await copy('at the beginning', '7', from)
    await copy('before', '7', hoursAgo(101))
    await copy('of autumn', '8', hoursAgo(1), { pipeline: 'autumn' })
    await copy('of production', '9', hoursAgo(1), production)
    const found = await read(testLedger)
    expect(found.slice(0, 2).sort()).toEqual(['6 7', '7 7'])
    expect(found.slice(2)).toEqual(['5 ', '2 7', '1 3', '7 7'])
  })

  test('is the last of its completions', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await using unordered = await openUnordered(testLedger)
    const add = (learner: string, heard: Date, more: { pipeline?: string; environment?: string } = {}) =>
      database.query(
        `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_at, found_by, cells)
         VALUES ($1, 'campus', $2, $3, 'F', now(), $4, 'poll', '{}')`,
        [more.environment ?? environment, more.pipeline ?? 'spring', learner, heard],
      )
    const expecting = [{ pipeline: 'spring', from, completions: true }]
    await add('before', hoursAgo(101))
    await add('of autumn', hoursAgo(1), { pipeline: 'autumn' })
    await add('of production', hoursAgo(1), production)
    expect(await arrivals(unordered.database, environment, expecting)).toEqual([])
    await add('at the beginning', from)
    expect(await arrivals(unordered.database, environment, expecting)).toMatchObject([{ at: from }])
    const [last, earlier] = [hoursAgo(2), hoursAgo(3)]
    await add('last', last)
    await add('earlier', earlier)
    expect(await arrivals(unordered.database, environment, expecting)).toMatchObject([
      { at: last, rows: null, run: null },
    ])
  })
})
