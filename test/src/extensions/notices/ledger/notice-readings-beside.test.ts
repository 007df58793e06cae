// What notices are decided from: everything that is to be read, beside what is settled, expected or of another
// environment.

import { expect, test } from 'vitest'
import type { ReadingScope } from '#src/extensions/notices/ledger/notice-readings.ts'
import { addMessage } from '#test/support/add-notice.ts'
import { addRun, hoursAgo } from '#test/support/add-run.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aCourse, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const now = new Date()
const environments = ['development', 'production']

const read = ({ ledger }: TestLedger, scope: Partial<ReadingScope> = {}) =>
  ledger.notices.readings({
    ...{ summarizeFrom: null, refusedFrom: null, countsChanges: false, now, pipelines: [], inboxes: [], targets: [] },
    ...{ recipients: [], expecting: [], ...scope },
  })

describeWithDatabase('a reading for notices', () => {
  test('counts held rows, held lists and open rows by pipeline, and since when they are', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const [index, pipeline] of ['winter', 'spring', 'autumn'].entries()) {
      await testLedger.publish(recipients(3, index * 10), { pipeline })
      await withoutTriggers(
        database,
        `UPDATE issuance SET state = CASE WHEN row_number = 4 THEN 'issued' ELSE 'held' END, credential_id = 'C', state_since = $2::timestamptz - make_interval(hours => row_number) WHERE pipeline = $1`,
        [pipeline, now],
      )
      for (const hours of [1, 2])
        await addRun(database, `${pipeline} ${hours}`, { pipeline, state: 'braked', braked_at: hoursAgo(hours) })
      await addRun(database, 'decided', { pipeline, state: 'braked', settled_at: now })
    }
    await addRun(database, 'of production', { environment: 'production', state: 'braked' })
    await withoutTriggers(
      database,
      `UPDATE issuance SET environment = 'production' WHERE id = (SELECT max(id) FROM issuance WHERE state = 'held')`,
    )
    await withoutTriggers(
      database,
      `UPDATE run SET state = 'refused' WHERE pipeline = 'winter' AND state = 'published'`,
    )
    const { held, braked, open } = await read(testLedger)
    expect(held).toMatchObject([
      { pipeline: 'autumn', count: 1 },
      { pipeline: 'spring', count: 2, since: new Date(now.getTime() - 3 * 3_600_000) },
      { pipeline: 'winter', count: 2 },
    ])
    expect(braked.map(({ pipeline, count }) => `${pipeline} ${count}`)).toEqual(['autumn 2', 'spring 2', 'winter 2'])
    expect(braked[0]?.since.getTime()).toBeLessThan(now.getTime() - 7_000_000)
    // A list that was refused has no open rows, whatever was counted.
    expect(open.map(({ pipeline, count }) => `${pipeline} ${count}`)).toEqual(['autumn 3', 'spring 3'])
  })

  test('leaves out open rows of lists that are settled, of another environment, or of which none is open', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const add = async (name: string, state: string, more: Record<string, unknown> = {}) => {
      const run = await addRun(database, name, { published_at: now, ...more })
      await withoutTriggers(database, 'INSERT INTO run_count (run_id, state, rows, surplus) VALUES ($1, $2, 2, 0)', [
        run,
        state,
      ])
    }
    await add('open', 'requested')
    await add('settled', 'requested', { settled_at: now })
    await add('of production', 'requested', { environment: 'production' })
    await add('not open', 'issued', { pipeline: 'autumn' })
    expect((await read(testLedger)).open).toMatchObject([{ pipeline: 'spring', count: 2 }])
  })

  test('says how late the report is, and when it was last read completely', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await testLedger.publish(recipients(1))
    const report = async () => {
      const { isAwaited, readAt, overdueS } = (await read(testLedger)).report
      return [isAwaited, readAt, Math.floor(overdueS / 3_600)]
    }
    const scan = (started: Date, ended: Date, complete: boolean, environment = 'development') =>
      database.query(
        'INSERT INTO scan (environment, since, started_at, ended_at, complete) VALUES ($1, now(), $2, $3, $4)',
        [...[environment, started, ended, complete]],
      )
    await scan(hoursAgo(9), hoursAgo(5), true)
    const last = hoursAgo(6)
    await scan(hoursAgo(8), last, true)
    await scan(hoursAgo(9), hoursAgo(4), true)
    await scan(hoursAgo(1), now, false)
    await scan(hoursAgo(1), now, true, 'production')
    // Nothing is late before a time is set.
    await withoutTriggers(database, `UPDATE issuance SET state = 'requested'`)
    expect(await report()).toEqual([true, last, 0])
    await database.query('INSERT INTO poller (environment, due_at) VALUES ($1, $2), ($3, $4)', [
      ...['production', hoursAgo(9.5), 'development', hoursAgo(2.5)],
    ])
    expect(await report()).toEqual([true, last, 2])
    await withoutTriggers(database, `UPDATE issuance SET environment = 'production'`)
    expect(await report()).toEqual([false, last, 0])
  })

  test('shows paused courses, systems with problems, and workers that do not report', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const environment of environments) {
      await database.query(
        `INSERT INTO course (environment, course_uuid, paused_until, paused_since, pause_reason) VALUES
           ($1, $2, now() + interval '1 h', '2026-01-01', $1), ($1, $3, now() - interval '6 min', '2026-01-01', 'over'), ($1, gen_random_uuid(), now() - interval '4 min', NULL, 'just over')`,
        [environment, aCourse, otherCourse],
      )
      await database.query(
        `INSERT INTO learning_system (environment, system, problem, away_since, away_because, watched) VALUES
           ($1, 'z away', NULL, now(), 'No.', true), ($1, 'fine', NULL, NULL, NULL, true), ($1, 'b problem', $1, NULL, NULL, false)`,
        [environment],
      )
      await database.query(
        `INSERT INTO worker (environment, lock, host, pid, configuration, backend, seen_at) VALUES
           ($1, 'worker:one', $1, 1, 'x', 1, now() - interval '6 min'), ($1, 'worker:two', 'two', 1, 'x', 1, now() - interval '4 min'),
           ($1, 'alone', 'alone', 1, 'x', 1, now() - interval '6 min'), ($1, 'worker:last', 'last', 1, 'x', 1, now() - interval '9 min')`,
        [environment],
      )
    }
    const { pauses, systems, stalledWorkers } = await read(testLedger)
    expect(pauses.map(({ reason }) => reason).sort()).toEqual(['development', 'just over'])
    expect(pauses.every(({ since }) => since instanceof Date)).toBe(true)
    expect(
      systems.map(({ system, problem, awayBecause, isWatched }) => [system, problem, awayBecause, isWatched]),
    ).toEqual([
      ['b problem', 'development', '', false],
      ['z away', null, 'No.', true],
    ])
    expect(stalledWorkers.map(({ host }) => host)).toEqual(['last', 'development'])
  })

  const revocations: [what: string, counts: number, isPast: boolean, more: Record<string, unknown>][] = [
    ['refused', 1, false, { state: 'refused' }],
    ['not applied', 1, false, { state: 'not_applied' }],
    ['doubted', 1, false, { state: 'accepted', doubt: 'Why?' }],
    ['accepted', 0, false, { state: 'accepted' }],
    ['seen', 0, false, { state: 'seen', doubt: 'Why?' }],
    ['refused long ago', 0, true, { state: 'refused', wanted_at: hoursAgo(31 * 24) }],
    ['not applied long ago', 1, false, { state: 'not_applied', wanted_at: hoursAgo(31 * 24) }],
    ['doubted long ago', 1, false, { state: 'refused', doubt: 'Why?', wanted_at: hoursAgo(31 * 24) }],
    [
      'a correction that was refused long ago',
      1,
      false,
      { state: 'refused', correction: {}, issuance_id: 2, wanted_at: hoursAgo(31 * 24) },
    ],
    ['refused in another environment', 0, false, { state: 'refused', environment: 'production' }],
    ['refused, of a credential that is revoked', 0, false, { state: 'refused', issuance_id: 1 }],
    ['refused, of a credential that is issued', 1, false, { state: 'refused', issuance_id: 2 }],
  ]
  test('counts revocations that somebody must decide', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    await testLedger.publish(recipients(2))
    await withoutTriggers(
      database,
      `UPDATE issuance SET state = CASE id WHEN 1 THEN 'revoked' ELSE 'issued' END, credential_id = 'C'`,
    )
    const add = (more: Record<string, unknown>) => {
      const columns: Record<string, unknown> = { environment: 'development', credential_id: 'C-1', by: 'Ada', ...more }
      const names = Object.keys(columns)
      return withoutTriggers(
        database,
        `INSERT INTO revocation (${names.join()}) VALUES (${names.map((_, at) => `$${at + 1}`).join()})`,
        Object.values(columns),
      )
    }
    const found = async () => {
      const { count, since, pastAt } = (await read(testLedger)).revocations
      return { count, isPast: pastAt !== null, dated: since !== null }
    }
    for (const [what, count, isPast, more] of revocations) {
      await withoutTriggers(database, 'DELETE FROM revocation')
      await add(more)
      expect({ what, ...(await found()) }).toEqual({ what, count, isPast, dated: count > 0 })
    }
    await withoutTriggers(database, 'DELETE FROM revocation')
    const refused = { state: 'refused', wanted_at: hoursAgo(1) }
    await add(refused)
    for (const other of [{ credential_id: 'C-2' }, { environment: 'production' }]) await add({ ...refused, ...other })
    expect((await found()).count).toBe(2)
    // The last revocation of a credential counts.
    await add({ state: 'accepted' })
    expect((await found()).count).toBe(1)
  })

  test('shows recipients whose last message failed, or one of the last hour', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    const message = (recipient: string, hours: number, more: Record<string, unknown> = {}) =>
      addMessage(database, { recipient, created_at: hoursAgo(hours), ...more })
    const failing = (problem: string, hours = 1) => ({ tries: 1, failing_since: hoursAgo(hours), problem })
    await message('fails', 3, { delivered_at: hoursAgo(3), ...failing('earlier') })
    await message('fails', 2, failing('No.', 9))
    await message('in part', 2, { delivered_at: hoursAgo(2), ...failing('One address.') })
    await message('again', 3, { delivered_at: hoursAgo(3), ...failing('earlier') })
    await message('again', 2, { delivered_at: hoursAgo(2) })
    await message('untried', 3, { delivered_at: hoursAgo(3), ...failing('earlier') })
    await message('untried', 2)
    await message('given up', 0.9, { given_up_at: hoursAgo(0.6), problem: 'first' })
    await message('given up', 0.8, { given_up_at: hoursAgo(0.5), problem: 'last' })
    await message('given up', 0.2, { delivered_at: hoursAgo(0.1) })
    await message('given up long ago', 3, { given_up_at: hoursAgo(2) })
    await message('elsewhere', 1, { environment: 'production', ...failing('No.') })
    await message('given up elsewhere', 1, { environment: 'production', given_up_at: hoursAgo(0.5) })
    await message('not asked for', 1, failing('No.'))
    const names = [
      'fails',
      'in part',
      'again',
      'untried',
      'given up',
      'given up long ago',
      'elsewhere',
      'given up elsewhere',
    ]
    const found = (await read(testLedger, { recipients: names })).failing
    expect(
      found.map((each) => [each.recipient, each.problem, each.isPartial, each.isGivenUp, each.restedAt !== null]),
    ).toEqual([
      ['fails', 'No.', false, false, false],
      ['in part', 'One address.', true, false, true],
      ['untried', 'earlier', true, false, true],
      ['given up', 'last', false, true, true],
    ])
    const hoursSince = found.map(({ since }) => Math.round((2 * (now.getTime() - since.getTime())) / 3_600_000) / 2)
    expect(hoursSince).toEqual([9, 1, 1, 0.5])
  })
})

describeWithDatabase('what is stuck', () => {
  test('is shown by part and pipeline', async () => {
    await using testLedger = await openTestLedger()
    const { database } = testLedger
    for (const environment of environments) {
      await database.query(
        `INSERT INTO archive (environment, pipeline, folder, problem) VALUES ($1, 'winter', '/a', 'It is full.'), ($1, 'autumn', '/a', NULL), ($1, 'spring', '/a', $1)`,
        [environment],
      )
      await database.query(
        `INSERT INTO inbox_look (environment, pipeline, last_due_at, problem) VALUES ($1, 'spring', now(), $1), ($1, 'autumn', now(), NULL)`,
        [environment],
      )
    }
    const results = async (name: string, told: Date | null, more: Record<string, unknown> = {}, version = 0) => {
      const run = await addRun(database, name, { settled_at: hoursAgo(2), ...more })
      await database.query(
        `INSERT INTO write_back (run_id, target, wanted, written, written_at) VALUES ($1, 'results-file', 1, $2, $3)`,
        [...[run, version, told]],
      )
    }
    await results('never written', null, { settled_at: hoursAgo(3) })
    await results('written long ago', hoursAgo(2))
    await results('written a moment ago', hoursAgo(0.5))
    await results('settled a moment ago', null, { settled_at: hoursAgo(0.5) })
    await results('up to date', null, {}, 1)
    await results('of production', null, { environment: 'production' })
    await testLedger.publish(recipients(6))
    await withoutTriggers(database, `UPDATE issuance SET environment = 'production' WHERE id = 6`)
    await database.query(
      `INSERT INTO delivery (issuance_id, target, wanted, state, refused, wanted_at)
       SELECT id, CASE id WHEN 5 THEN 'unknown' ELSE 'hooks' END, 'held', CASE id WHEN 3 THEN 'failed' ELSE 'pending' END, id <> 4, $1::timestamptz - make_interval(hours => id::int) FROM issuance`,
      [now],
    )
    const { troubles } = await read(testLedger, {
      inboxes: ['spring'],
      targets: [{ pipeline: 'spring', name: 'hooks' }],
    })
    expect(
      troubles.map(({ subject, pipeline, problem }) => `${subject} ${pipeline}: ${problem.replace(/;.*/, '')}`),
    ).toEqual([
      'archive spring: development',
      'archive winter: It is full.',
      'delivery spring: 2 outcomes wait until a learning system accepts them',
      'inbox spring: development',
      'results spring: 2 results files are waiting to be written',
    ])
    const sinceOf = (subject: string) => troubles.find((each) => each.subject === subject)?.since
    expect(sinceOf('delivery')).toEqual(new Date(now.getTime() - 2 * 3_600_000))
    expect(sinceOf('results')?.getTime()).toBeLessThan(hoursAgo(2.5).getTime())
  })
})
