// One case of the suite: which fault strikes where, and what its seed decides.

import { createHash } from 'node:crypto'
import { type Fault, faults } from './faults.ts'
import { type StageName, stageNames, stages } from './stages.ts'

export type Backend = 'postgres' | 'redis'

export interface NetworkCase {
  fault: Fault
  stage: StageName
  backend: Backend
  seed: number
  /** The exchange of the stage that is struck first, from 1. */
  from: number
  /** How many are struck in a row. */
  times: number
  /** Whether the service hears of a request that is answered by a gateway. */
  heard: boolean
  batchSize: number
  reportLagMs: number
}

/** Every fault at every stage, once for each seed; FAULT and STAGE choose among them. */
export function networkCases(backend: Backend, seeds: readonly number[]): NetworkCase[] {
  const { FAULT, STAGE } = process.env
  return seeds.flatMap((seed) =>
    stageNames
      .filter((stage) => STAGE === undefined || stage === STAGE)
      .flatMap((stage) =>
        faults
          .filter((fault) => FAULT === undefined || fault.name === FAULT)
          .map((fault) => throwDice(fault, stage, backend, seed)),
      ),
  )
}

function throwDice(fault: Fault, stage: StageName, backend: Backend, seed: number): NetworkCase {
  const dice = createHash('sha256').update(`${fault.name} ${stage} ${backend} ${seed}`).digest()
  const throwOf = (index: number, sides: number) => (dice[index] ?? 0) % sides
  const wantsSecond = throwOf(0, 2) === 1
  const hasSecond = stages[stage].second !== null
  // Only a fault that makes the worker try again meets the try that follows; a refresh is never tried again.
  const mayRepeat = 'strike' in fault.does && fault.invitation !== 'accepted' && stage !== 'refresh'
  const repeats = mayRepeat && (throwOf(1, 4) === 3 || (wantsSecond && !hasSecond))
  return {
    fault,
    stage,
    backend,
    seed,
    from: wantsSecond && hasSecond ? 2 : 1,
    times: repeats ? 2 : 1,
    heard: fault.heard === 'yes' || (fault.heard === 'either' && throwOf(2, 2) === 1),
    batchSize: 4 + throwOf(3, 3),
    reportLagMs: throwOf(4, 60),
  }
}

export function titleOf({ fault, stage, from, times }: NetworkCase): string {
  return `${fault.name} at exchange ${from}${times > 1 ? ` and ${from + 1}` : ''} of ${stage}`
}

/** How to repeat just this one. */
export function repeatOf({ fault, stage, backend, seed }: NetworkCase): string {
  return `FAULT=${fault.name} STAGE=${stage} SEED=${seed} npx vitest run test/guarantees/network/on-${backend}.test.ts`
}
