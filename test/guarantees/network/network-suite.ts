// The suite for one queue store: eight cases run at a time, since they mostly wait, and each is a separate test.

import { afterAll, beforeAll, test } from 'vitest'
import { isLong, isTurnOf, seeds, sized, tally } from '#test/support/suite-size.ts'
import { type Fault, faults } from './faults.ts'
import { type Backend, type NetworkCase, networkCases, repeatCommand, titleOf } from './network-case.ts'
import { type CaseResult, runCase } from './run-case.ts'
import { type StageName, stageNames } from './stages.ts'

const maxConcurrent = 8

/**
 * The stores take turns. Of the faults of reading, which change nothing in the service, the usual size takes every
 * second one.
 */
function isChosen(backend: Backend, fault: Fault, stage: StageName): boolean {
  const index = faults.indexOf(fault) + stageNames.indexOf(stage)
  return isTurnOf(backend, index) && (isLong || stage === 'invite' || Math.floor(index / 2) % 2 === 0)
}

/** Defines the tests of every fault at every stage. Call it inside a describe block. */
export function networkTests(backend: Backend): void {
  const cases = networkCases(backend, seeds(sized(1, 50))).filter(
    ({ fault, stage }) => process.env.FAULT !== undefined || isChosen(backend, fault, stage),
  )
  const results = cases.map(() => Promise.withResolvers<CaseResult>())
  const count = { 'network faults': 0, 'calls of unknown outcome': 0, issued: 0, failed: 0 }
  let pool: Promise<unknown> = Promise.resolve()

  async function work(turns: Iterator<[number, NetworkCase]>): Promise<void> {
    for (let turn = turns.next(); !turn.done; turn = turns.next()) {
      const [index, networkCase] = turn.value
      count['network faults']++
      try {
        const result = await runCase(networkCase)
        count['calls of unknown outcome'] += result.unknown
        count.issued += result.issued
        results[index]?.resolve(result)
      } catch (error) {
        count.failed++
        results[index]?.reject(
          new Error(`${titleOf(networkCase)}: ${(error as Error).message}\nalone: ${repeatCommand(networkCase)}`, {
            cause: error,
          }),
        )
      }
    }
  }

  beforeAll(async () => {
    const turns = cases.entries()
    for (const { promise } of results) promise.catch(() => {})
    pool = Promise.all(Array.from({ length: maxConcurrent }, () => work(turns)))
  })
  for (const [index, networkCase] of cases.entries()) {
    test(`${titleOf(networkCase)} (seed ${networkCase.seed}) loses no recipient and issues no credential twice`, () =>
      results[index]?.promise)
  }
  afterAll(async () => {
    await pool
    tally(`network faults on ${backend}`, count)
  })
}
