// Takes pairs of writing ledger verbs that can conflict and runs each on two connections: one verb is stopped between
// two statements while the other runs.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { seeds, sized, tally } from '#test/support/suite-size.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'
import { corruptions } from './corruptions.ts'
import { openSceneLedger, type SceneLedger } from './interleave.ts'
import { type Case, caseName, casesOf } from './interleaving-cases.ts'
import { invariants } from './invariants.ts'
import { cannotConflict, readOnly } from './unpaired-verbs.ts'
import { titleOf, type Verb } from './verb.ts'
import { verbs } from './verbs.ts'

/** Ledgers used concurrently; enough for two cores and a database with its own processes. */
const ledgerCount = 3

/**
 * Of the cases that stop each pair once, the usual size runs one in this many, which takes half a minute; the long size
 * runs all cases.
 */
const shareWithEveryChange = 8

/** `INTERLEAVING='runs.settle while …'` repeats one case. */
const only = process.env.INTERLEAVING

describeWithDatabase('two concurrent verbs', () => {
  test('include every ledger verb, except those that only read or cannot conflict', async () => {
    await using testLedger = await openTestLedger()
    const { hasher: _, ...own } = testLedger.ledger
    const names = Object.entries(own).flatMap(([name, verb]) => {
      if (typeof verb === 'function') return [name]
      const inside = typeof verb === 'object' && verb ? Object.entries(verb) : []
      return inside.flatMap(([inner, each]) => (typeof each === 'function' ? [`${name}.${inner}`] : []))
    })
    const paired = [...new Set(verbs.map((verb) => verb.name))]
    expect([...paired, ...readOnly, ...Object.values(cannotConflict).flat()].sort()).toEqual(names.sort())
  })

  test('are checked by invariants that detect every corruption of the scene', async () => {
    await using place = await openSceneLedger()
    expect(Object.keys(corruptions).sort()).toEqual(Object.keys(invariants).sort())
    for (const [invariant, sql] of Object.entries(corruptions))
      expect(await place.brokenBy(sql), invariant).toContainEqual(expect.stringMatching(`^${invariant}: `))
  })

  test('leave the ledger consistent, wherever one stops', { timeout: sized(3_600_000, 14_400_000) }, async () => {
    await using stack = new AsyncDisposableStack()
    const opened = await Promise.all(
      Array.from({ length: ledgerCount }, async () => stack.use(await openSceneLedger())),
    )
    const texts = await statementsOf(opened[0] as SceneLedger)
    const seed = seeds(1)[0] ?? 0
    const { pairs, first, rest } = casesOf(texts, seed)
    const always = first.filter(isOutcomeOfLostCall)
    const others = first.filter((each) => !always.includes(each))
    const usual = others.filter((_, number) => (number + seed) % shareWithEveryChange === 0)
    const all = [...always, ...usual, ...others.filter((each) => !usual.includes(each)), ...rest]
    const cases = only
      ? all.filter((entry) => caseName(entry) === only)
      : all.slice(0, always.length + sized(usual.length, all.length, 6))
    const { faults, ...counts } = await runAll(opened, cases)
    tally('interleavings', { pairs, interleavings: cases.length, ...counts, broken: faults.length })
    expect(faults).toEqual([])
  })
})

/** The outcome of a call arrives while the call is being given up as lost: tried in every size. */
function isOutcomeOfLostCall({ first, second }: Case): boolean {
  return ['attempts.end', 'attempts.markLost'].every((name) => [first.name, second.name].includes(name))
}

/** Records the statements of each verb when it runs alone. Each must find something to write and break nothing. */
async function statementsOf(place: SceneLedger): Promise<Map<Verb, readonly string[]>> {
  const texts = new Map<Verb, readonly string[]>()
  const idle: string[] = []
  for (const verb of verbs) {
    const alone = await place.runAlone(verb)
    expect(alone.faults, titleOf(verb)).toEqual([])
    if (alone.written === 0) idle.push(titleOf(verb))
    texts.set(verb, alone.texts)
  }
  expect(idle).toEqual([])
  return texts
}

async function runAll(opened: readonly SceneLedger[], cases: readonly Case[]) {
  const found = { waited: 0, deadlocks: 0, faults: [] as string[] }
  const waiting = cases.values()
  const work = async (place: SceneLedger) => {
    for (const entry of waiting) {
      const { faults, waited, deadlocks } = await place.runTogether(entry.first, entry.second, entry.at)
      found.waited += Number(waited)
      found.deadlocks += deadlocks
      if (faults.length > 0) found.faults.push(`INTERLEAVING='${caseName(entry)}': ${faults.join('; ')}`)
    }
  }
  await Promise.all(opened.map(work))
  return found
}
