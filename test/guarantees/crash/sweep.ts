// Runs many cases concurrently and counts their results.

import type { CompileCache } from './compile-cache.ts'
import { type CaseResult, type CrashCase, runCase } from './crash-case.ts'

/** Cases run concurrently, because they mostly wait for deadlines, grace periods and processes. */
const concurrency = 8

export interface Sweep {
  results: CaseResult[]
  /** Each fault with the command that repeats its case. */
  faults: string[]
}

export async function sweep(cache: CompileCache, cases: readonly CrashCase[], redisUrl: string | null): Promise<Sweep> {
  const waiting = [...cases]
  const done: Sweep = { results: [], faults: [] }
  async function lane() {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      try {
        const result = await runCase(cache, each, each.backend === 'redis' ? redisUrl : null)
        // Counted before it is checked, so that the tally includes faulty cases.
        done.results.push(result)
        const faults = faultsOf(result)
        if (faults.length > 0) throw new Error(faults.join('\n'))
      } catch (error) {
        done.faults.push(`${replayLine(each)}\n${error instanceof Error ? error.message : error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
  return done
}

/** Outcomes that must not occur, including a first kill that did not happen. */
function faultsOf(result: CaseResult): string[] {
  const { issuedTwice, lost, heldNeedlessly, killedAt, broken, archiveProblems, correctionProblems } = result
  return [
    ...(broken === null ? [] : [broken]),
    ...archiveProblems,
    ...correctionProblems,
    ...issuedTwice.map((who) => `issued twice: ${who}`),
    ...lost.map((who) => `lost: ${who}`),
    ...heldNeedlessly.map((who) => `held although decidable: ${who}`),
    ...(killedAt.includes(result.case.point) ? [] : [`never reached: ${result.case.point}`]),
  ]
}

/** The command that repeats one case. */
export function replayLine({ seed, point, second, backend }: CrashCase): string {
  const secondPart = second === null ? '' : ` THEN="${second}"`
  return `POINT="${point}"${secondPart} SEED=${seed} BACKEND=${backend} npx vitest run test/guarantees/crash`
}

/** The totals for the tally. */
export function countsOf({ results }: Sweep) {
  const sum = (of: (result: CaseResult) => unknown[]) => results.reduce((total, result) => total + of(result).length, 0)
  return {
    kills: sum((result) => result.killedAt),
    points: new Set(results.flatMap((result) => result.killedAt)).size,
    'issued twice': sum((result) => result.issuedTwice),
    lost: sum((result) => result.lost),
    held: sum((result) => result.held),
  }
}
