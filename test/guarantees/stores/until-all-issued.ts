// Waits until every row of the ledger is issued, and submits further lists if only later requests can prove an absence.

import { expect } from 'vitest'
import { systemClock } from '#src/platform/time/clock.ts'
import { audit } from '#test/support/auditor.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'

const timeoutMs = 600_000
const betweenListsMs = 1_200
const maxLists = 12
const peoplePerList = 2

/** The number of rows by state; null while the ledger is unavailable. */
export async function statesOf({ app }: World): Promise<Map<string, number> | null> {
  const query = app.database.query<{ state: string; count: number }>(
    'SELECT state, count(*) FROM issuance GROUP BY state',
  )
  const rows = await query.then((answer) => answer.rows).catch(() => null)
  return rows && new Map(rows.map((row) => [row.state, row.count]))
}

/**
 * Resolves when `people` rows and all further lists are issued, except for `failed` rows, which failed.
 * A row of unknown outcome is sent again only if the report shows something sent later. While only such rows are left,
 * it submits another two people, as the next day's list would.
 * @returns the number of people
 */
export async function untilAllIssued(world: World, people: number, { failed = 0 } = {}): Promise<number> {
  let expected = people
  let lists = 0
  let listAtMs = systemClock.monotonicMs()
  const look = async () => {
    const states = await statesOf(world)
    if (!states) return 'the ledger does not answer'
    const issued = states.get('issued') ?? 0
    const doubtful = states.get('unconfirmed') ?? 0
    const asMeant = failed === 0 ? !states.has('failed') : states.get('failed') === failed
    const final = issued + failed
    if (final === expected && asMeant && states.size === (failed === 0 ? 1 : 2)) return true
    const stuck = doubtful > 0 && final + doubtful === expected
    if (stuck && lists < maxLists && systemClock.monotonicMs() - listAtMs > betweenListsMs) {
      await world.receive(`later-${lists}.csv`, peopleCsv(peoplePerList, 50_000 + lists * peoplePerList))
      lists++
      listAtMs = systemClock.monotonicMs()
      expected += peoplePerList
    }
    return [...states].map(([state, count]) => `${count} ${state}`).join(', ')
  }
  await until('every row to be issued', look, { ms: timeoutMs, everyMs: 100 })
  return expected
}

/** Checks a finished run: against the sandbox's record first, then with the auditor. */
export async function checkRun(world: World, people: number): Promise<void> {
  const times = timesIssued(world.sandbox)
  expect([...times].filter(([, count]) => count !== 1)).toEqual([])
  expect(times.size).toBe(people)
  await audit(world)
}
