// The watch detects a revocation that was made in the portal, whatever order and search the report supports.

import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { jobActions } from '#jobs/job-actions.ts'
import { watch } from '#jobs/watch-issued.ts'
import type { Faults } from '#sandboxes/service/faults/faults.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { explainIssuance } from '#test/support/revocation-steps.ts'
import { openWatchedWorld, type WatchedWorld } from '#test/support/watched-world.ts'

const people = { days: 12, perDay: 20 }
/** The setting `watchWithin` in these worlds, in days. */
const watchWithinDays = 10

/** Returns after how many nights the ledger has recorded all these revocations. */
async function nightsUntilRevoked(world: WatchedWorld, persons: readonly number[]): Promise<number> {
  for (let night = 1; night <= watchWithinDays; night++) {
    await world.simulateDay()
    const states = await world.states()
    if (persons.every((person) => states[person - 1] === 'revoked')) return night
  }
  throw new Error('The revocations were not recorded within the configured time.')
}

const others = (states: readonly string[], persons: readonly number[]) =>
  new Set(states.filter((_, at) => !persons.includes(at + 1)))

describeWithDatabase('a revocation in the portal', () => {
  test.each<[string, Faults]>([
    ['with credentials that are not revoked at the end', {}],
    ['with credentials that are not revoked at the beginning', { revokedOrder: 'nulls at the other end' }],
  ])('is detected the next day if the report is ordered by revoked_date, %s', async (_, faults) => {
    await using world = await openWatchedWorld({ ...people, faults })
    await world.revoke(7)
    await world.simulateDay()
    // A single revocation does not show an order, so a share of the days is read instead.
    expect((await world.watchStatus()).way).toBe('days')
    await world.revoke(150)
    await world.revoke(31)
    const calls = await world.simulateDay()
    expect(await world.watchStatus()).toMatchObject({ way: 'order', issued: 237 })
    const states = await world.states()
    expect([7, 150, 31].map((person) => states[person - 1])).toEqual(['revoked', 'revoked', 'revoked'])
    expect(others(states, [7, 150, 31])).toEqual(new Set(['issued']))
    // That is a hundred rows at either end, in pages of 25.
    expect(calls).toBeLessThanOrEqual(8)
  })

  test.each<[string, Faults, string]>([
    ['cannot be sorted by revoked_date', { revokedOrder: 'ignored' }, 'days'],
    [
      'can be neither sorted nor searched by day',
      { revokedOrder: 'ignored', ignoredSearchKeys: ['date_range'] },
      'pages',
    ],
    [
      'supports no search, and has short pages',
      { revokedOrder: 'ignored', acceptedSearch: 'none', cappedPages: { records: 10, pager: 'requested' } },
      'pages',
    ],
  ])('is detected within the configured time if the report %s', async (_, faults, way) => {
    await using world = await openWatchedWorld({ ...people, faults })
    await world.simulateDay()
    const persons = [3, 120, 121, 239]
    for (const person of persons) await world.revoke(person)
    await nightsUntilRevoked(world, persons)
    expect((await world.watchStatus()).way).toBe(way)
    expect(others(await world.states(), persons)).toEqual(new Set(['issued']))
  })

  test('is detected although the rows of one day are in a different order on each page', async () => {
    await using world = await openWatchedWorld({ ...people, faults: { movingRows: { share: 1 } } })
    await world.revoke(7)
    await world.simulateDay()
    const persons = Array.from({ length: 80 }, (_, index) => 3 * index + 2)
    for (const person of persons) await world.revoke(person)
    await world.simulateDay()
    const states = await world.states()
    // Only the way `days` comes back to rows that the pages left out.
    if (!persons.every((person) => states[person - 1] === 'revoked'))
      expect((await world.watchStatus()).way).toBe('days')
    await nightsUntilRevoked(world, persons)
  })

  test('is noticed for every credential within the configured time, without reading all of them in one day', async () => {
    await using world = await openWatchedWorld({ ...people, faults: { revokedOrder: 'ignored' } })
    const countsPerNight: number[] = []
    for (let night = 1; night <= watchWithinDays + 4; night++) {
      await world.simulateDay()
      const { rows } = await world.app.database.query<{ looked: number }>(
        `SELECT count(*) AS looked FROM report_claim WHERE looked_at > clock_timestamp() - interval '12 hours'`,
      )
      countsPerNight.push(rows[0]?.looked ?? 0)
      if (night < watchWithinDays) continue
      const { lookedSince } = await world.watchStatus()
      expect(lookedSince?.getTime()).toBeGreaterThan(Date.now() - watchWithinDays * 86_400_000)
    }
    // An eighth of the 240 is due each night: two days of twenty, with at most one more on either side.
    expect(Math.max(...countsPerNight)).toBeLessThanOrEqual(120)
  })

  test('is detected if the service refuses to sort by revoked_date', async () => {
    await using world = await openWatchedWorld(people)
    world.wire.spoilIfBody('/student/report', '"revoked_date"', { status: 400, body: '{"status":400,"message":"No."}' })
    await world.revoke(60)
    await nightsUntilRevoked(world, [60])
  })

  test('is detected the next day in a report of one page, and reaches history and results file', async () => {
    await using world = await openWatchedWorld({ days: 1, perDay: 5 })
    await jobActions.writeWantedResults(world.app)
    const [run] = await world.app.ledger.runs.list()
    const credential = await world.revoke(2)
    expect(await world.simulateDay()).toBe(1)
    expect(await world.watchStatus()).toMatchObject({ way: 'whole', issued: 4, missing: 0 })
    const last = (await explainIssuance(world, 2))?.history.at(-1)
    expect(last).toMatchObject({ from: 'issued', to: 'revoked', evidence: { credential } })
    await jobActions.writeWantedResults(world.app)
    expect(await readFile((await world.app.ledger.runs.find(run?.id ?? ''))?.resultsPath ?? '', 'utf8')).toMatch(
      /person\.2@.*,revoked,/,
    )
  })

  test('is detected immediately when all credentials are checked', async () => {
    await using world = await openWatchedWorld({ ...people, faults: { revokedOrder: 'ignored' } })
    await world.revoke(1)
    await world.revoke(240)
    const wanted = await world.app.ledger.watching.requestAll()
    const log = openRecordedLog()
    await watch({ ...world.app, log })
    expect(await world.app.ledger.watching.allDoneSince(wanted)).toBe(true)
    expect(log.fieldsOf('watch.ended')).toMatchObject([{ count: 2, items: 240 }])
    expect((await world.states()).filter((state) => state === 'revoked')).toHaveLength(2)
  })
})

describeWithDatabase('a report whose pages repeat some rows and leave others out', () => {
  test('does not make credentials count as missing when all of them are checked', async () => {
    const faults: Faults = { revokedOrder: 'ignored', ignoredSearchKeys: ['date_range'], movingRows: { share: 1 } }
    await using world = await openWatchedWorld({ days: 2, perDay: 150, pageSize: 10, faults })
    const persons = Array.from({ length: 20 }, (_, index) => 1 + 15 * index)
    for (const person of persons) await world.revoke(person)
    await world.app.ledger.watching.requestAll()
    await watch(world.app)
    const states = await world.states()
    expect(persons.filter((person) => states[person - 1] !== 'revoked')).toEqual([])
    expect((await world.watchStatus()).missing).toBe(0)
  })
})

describeWithDatabase('an issued credential that the report no longer shows', () => {
  test.each([
    [2, 'whole'],
    [203, 'pages'],
  ])('stays issued and is counted the next day in a report of one page (%i of 205, by %s)', async (count, way) => {
    await using world = await openWatchedWorld({ days: 1, perDay: 205, pageSize: 500 })
    const vanished = world.sandbox.requests().map(({ credentialId }) => credentialId ?? '')
    world.sandbox.injectFaults({ vanished: vanished.slice(0, count) })
    await world.simulateDay()
    expect(await world.watchStatus()).toMatchObject({ way, missing: count, issued: 205 })
    expect(new Set(await world.states())).toEqual(new Set(['issued']))
  })

  test.each<[string, Faults]>([
    ['days', {}],
    ['pages', { ignoredSearchKeys: ['date_range'] }],
  ])('stays issued and is counted, by %s, until it is shown again', async (_, faults) => {
    await using world = await openWatchedWorld({ ...people, faults: { ...faults, revokedOrder: 'ignored' } })
    const { credentialId } = world.sandbox.requests()[99] ?? {}
    world.sandbox.injectFaults({ vanished: [credentialId ?? ''] })
    for (let night = 1; night <= watchWithinDays; night++) await world.simulateDay()
    expect((await world.watchStatus()).missing).toBe(1)
    expect(new Set(await world.states())).toEqual(new Set(['issued']))
    world.sandbox.injectFaults({ vanished: undefined })
    await world.app.ledger.watching.requestAll()
    await watch(world.app)
    expect((await world.watchStatus()).missing).toBe(0)
  })
})

describeWithDatabase('a round of the watch', () => {
  test('that is interrupted continues where it stopped, and reads only one page twice', async () => {
    const noSearch: Faults = { revokedOrder: 'ignored', ignoredSearchKeys: ['date_range'] }
    await using world = await openWatchedWorld({ ...people, faults: noSearch })
    await world.revoke(200)
    await world.app.ledger.watching.requestAll()
    const broken = { status: 400, body: '{"status":400,"message":"Not now."}' }
    world.wire.spoilIfBody('/student/report', '"pageNumber":6,', broken, 1)
    await expect(watch(world.app)).rejects.toThrow('Not now.')
    expect(await world.app.ledger.watching.status()).toMatchObject({ allWanted: true, position: 125 })
    const before = world.wire.seen.length
    await world.app.ledger.watching.postpone(0)
    await watch(world.app)
    expect((await world.app.ledger.watching.status()).allWanted).toBe(false)
    expect((await world.states())[199]).toBe('revoked')
    expect(world.wire.seen.length - before).toBe(5)
  })
})
