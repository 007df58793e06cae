// Runs many cases, several at once, and adds up what became of them.

import { type CaseResult, type CrashCase, runCase } from './crash-case.ts'
import type { CrashPlace } from './crash-place.ts'

/** Each mostly waits: for a deadline, a grace, a process. */
const atOnce = 8

export interface Sweep {
  results: CaseResult[]
  /** Each fault with the line that repeats its case. */
  faults: string[]
}

export async function sweep(place: CrashPlace, cases: readonly CrashCase[], redisUrl: string | null): Promise<Sweep> {
  const waiting = [...cases]
  const done: Sweep = { results: [], faults: [] }
  async function lane() {
    for (let each = waiting.shift(); each; each = waiting.shift()) {
      try {
        const result = await runCase(place, each, each.backend === 'redis' ? redisUrl : null)
        // Counted before it is judged: the tally must show what a faulty case did.
        done.results.push(result)
        const faults = faultsOf(result)
        if (faults.length > 0) throw new Error(faults.join('\n'))
      } catch (error) {
        done.faults.push(`${replayLine(each)}\n${error instanceof Error ? error.message : error}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return done
}

/** What must not have become of anybody, and a first kill that did not happen. */
function faultsOf(result: CaseResult): string[] {
  const { issuedTwice, lost, heldWrongly, killedAt, broken, misarchived, miscorrected } = result
  return [
    ...(broken === null ? [] : [broken]),
    ...misarchived,
    ...miscorrected,
    ...issuedTwice.map((who) => `issued twice: ${who}`),
    ...lost.map((who) => `lost: ${who}`),
    ...heldWrongly.map((who) => `held and not undecidable: ${who}`),
    ...(killedAt.includes(result.case.point) ? [] : [`never reached: ${result.case.point}`]),
  ]
}

/** The line that repeats one case. */
export function replayLine({ seed, point, second, backend }: CrashCase): string {
  const again = second === null ? '' : ` THEN="${second}"`
  return `POINT="${point}"${again} SEED=${seed} BACKEND=${backend} npx vitest run test/guarantees/crash`
}

/** The sums for the tally. */
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
