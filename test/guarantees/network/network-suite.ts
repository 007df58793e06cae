// The suite for one backend: its cases run eight at a time, since they mostly wait, and each is a test of its own.

import { afterAll, beforeAll, test } from 'vitest'
import { isTurnOf, long, seeds, sized, tally } from '#test/support/size.ts'
import { faults } from './faults.ts'
import { type Backend, type NetworkCase, networkCases, repeatOf, titleOf } from './network-case.ts'
import { type CaseResult, runCase } from './run-case.ts'
import { stageNames } from './stages.ts'

const atOnce = 8

/** With every change each fault meets half of the stages, and each stage half of the faults. */
function isForNow(backend: Backend, sum: number): boolean {
  return long || (sum % 2 === 0 && isTurnOf(backend, sum / 2))
}

/** The tests of every fault at every stage. To be called inside a describe block. */
export function networkTests(backend: Backend): void {
  const cases = networkCases(backend, seeds(sized(1, 50))).filter(
    ({ fault, stage }) =>
      process.env.FAULT !== undefined || isForNow(backend, faults.indexOf(fault) + stageNames.indexOf(stage)),
  )
  const results = cases.map(() => Promise.withResolvers<CaseResult>())
  const count = { 'network faults': 0, 'calls of unknown outcome': 0, issued: 0, failed: 0 }
  let pool: Promise<unknown> = Promise.resolve()

  async function work(turns: Iterator<[number, NetworkCase]>): Promise<void> {
    for (let turn = turns.next(); !turn.done; turn = turns.next()) {
      const [index, of] = turn.value
      count['network faults']++
      try {
        const result = await runCase(of)
        count['calls of unknown outcome'] += result.unknown
        count.issued += result.issued
        results[index]?.resolve(result)
      } catch (error) {
        count.failed++
        results[index]?.reject(new Error(`${titleOf(of)}; alone: ${repeatOf(of)}`, { cause: error }))
      }
    }
  }

  beforeAll(async () => {
    const turns = cases.entries()
    for (const { promise } of results) promise.catch(() => {})
    pool = Promise.all(Array.from({ length: atOnce }, () => work(turns)))
  })
  for (const [index, of] of cases.entries()) {
    // Twice the patience of a case: a test may begin to wait before its case has begun.
    test(
      `${titleOf(of)} (seed ${of.seed}) loses nobody and issues nobody twice`,
      () => results[index]?.promise,
      120_000,
    )
  }
  afterAll(async () => {
    await pool
    tally(`network faults on ${backend}`, count)
  })
}
