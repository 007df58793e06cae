// Waits until every row of the ledger is issued, handing over further lists where only later traffic can prove an absence.

import { expect } from 'vitest'
import { systemClock } from '#src/time/clock.ts'
import { audit } from '#test/support/auditor.ts'
import { until } from '#test/support/until.ts'
import { peopleCsv, timesIssued, type World } from '#test/support/world.ts'

const patienceMs = 120_000
const betweenListsMs = 1_200
const mostLists = 12
const perList = 2

/** What the ledger holds, by state; null while it cannot be asked. */
export async function statesOf({ app }: World): Promise<Map<string, number> | null> {
  const asked = app.database.query<{ state: string; count: number }>(
    'SELECT state, count(*) FROM issuance GROUP BY state',
  )
  const rows = await asked.then((answer) => answer.rows).catch(() => null)
  return rows && new Map(rows.map((row) => [row.state, row.count]))
}

/**
 * Resolves when `people` rows and all of the further lists are issued.
 * A row whose outcome is unknown is sent again only when the report shows something sent later, so as long as nothing but such
 * rows is left another two people are handed over, as the next night would.
 * @returns how many people there are now
 */
export async function comeToRest(world: World, people: number): Promise<number> {
  let expected = people
  let lists = 0
  let listAtMs = systemClock.monotonicMs()
  const look = async () => {
    const states = await statesOf(world)
    if (!states) return 'the ledger does not answer'
    const issued = states.get('issued') ?? 0
    const doubtful = states.get('unconfirmed') ?? 0
    if (issued === expected && states.size === 1) return true
    const stuck = doubtful > 0 && issued + doubtful === expected
    if (stuck && lists < mostLists && systemClock.monotonicMs() - listAtMs > betweenListsMs) {
      await world.receive(`later-${lists}.csv`, peopleCsv(perList, 50_000 + lists * perList))
      lists++
      listAtMs = systemClock.monotonicMs()
      expected += perList
    }
    return [...states].map(([state, count]) => `${count} ${state}`).join(', ')
  }
  await until('every row to be issued', look, { ms: patienceMs, everyMs: 100 })
  return expected
}

/** The judgement after a run: the sandbox's book first, then the auditor's. */
export async function judge(world: World, people: number): Promise<void> {
  const times = timesIssued(world.sandbox)
  expect([...times].filter(([, count]) => count !== 1)).toEqual([])
  expect(times.size).toBe(people)
  await audit(world)
}
