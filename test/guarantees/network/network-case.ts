// Defines the cases of the suite: which fault is applied at which stage, and the choices that the seed determines.
// Pure, except that FAULT and STAGE are read from the environment.

import { createHash } from 'node:crypto'
import { type Fault, faults } from './faults.ts'
import { type StageName, stageNames, stages } from './stages.ts'

export type Backend = 'postgres' | 'redis'

export interface NetworkCase {
  fault: Fault
  stage: StageName
  backend: Backend
  seed: number
  /** The first exchange of the stage that has the fault, counted from 1. */
  from: number
  /** How many consecutive exchanges have it. */
  times: number
  /** Whether the service receives a request that a gateway answers. */
  received: boolean
  batchSize: number
  reportLagMs: number
}

/** Every fault at every stage, once for each seed; FAULT and STAGE select among them. */
export function networkCases(backend: Backend, seeds: readonly number[]): NetworkCase[] {
  const { FAULT, STAGE } = process.env
  return seeds.flatMap((seed) =>
    stageNames
      .filter((stage) => STAGE === undefined || stage === STAGE)
      .flatMap((stage) =>
        faults
          .filter((fault) => FAULT === undefined || fault.name === FAULT)
          .map((fault) => drawCase(fault, stage, backend, seed)),
      ),
  )
}

function drawCase(fault: Fault, stage: StageName, backend: Backend, seed: number): NetworkCase {
  const dice = createHash('sha256').update(`${fault.name} ${stage} ${backend} ${seed}`).digest()
  const throwOf = (index: number, sides: number) => (dice[index] ?? 0) % sides
  const wantsSecond = throwOf(0, 2) === 1
  const hasSecond = stages[stage].second !== null
  // The retry is reached only by a fault that makes the worker retry; a token refresh is never retried.
  const mayRepeat = 'strike' in fault.effect && fault.invitation !== 'accepted' && stage !== 'refresh'
  const repeats = mayRepeat && (throwOf(1, 4) === 3 || (wantsSecond && !hasSecond))
  return {
    fault,
    stage,
    backend,
    seed,
    from: wantsSecond && hasSecond ? 2 : 1,
    times: repeats ? 2 : 1,
    received: fault.received === 'yes' || (fault.received === 'either' && throwOf(2, 2) === 1),
    batchSize: 4 + throwOf(3, 3),
    reportLagMs: throwOf(4, 60),
  }
}

export function titleOf({ fault, stage, from, times }: NetworkCase): string {
  return `${fault.name} at exchange ${from}${times > 1 ? ` and ${from + 1}` : ''} of ${stage}`
}

/** The command that repeats this case. */
export function repeatCommand({ fault, stage, backend, seed }: NetworkCase): string {
  return `FAULT=${fault.name} STAGE=${stage} SEED=${seed} npx vitest run test/guarantees/network/on-${backend}.test.ts`
}
