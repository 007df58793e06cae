// Selects the cases to run: all of them, or those that the environment variables POINT, THEN and BACKEND name (sweep.ts
// prints them for a failed case).

import type { CrashCase } from './crash-case.ts'
import { pointNamed } from './points.ts'

const { POINT: point, THEN: second, BACKEND: backend } = process.env

// A wrong name must fail rather than run no case.
for (const name of [point, second]) if (name !== undefined) pointNamed(name)
if (backend !== undefined && backend !== 'redis' && backend !== 'postgres')
  throw new Error(`BACKEND is ${backend}: set it to redis or postgres, or leave it out.`)

export const chosen = {
  /** The point of the first kill, if given. */
  point: point ?? null,
  /** The point of the second kill; such a case belongs only to the double-crash suite. */
  second: second ?? null,
  backend: backend ?? null,
  includes: (each: CrashCase): boolean =>
    (point === undefined || each.point === point) && (backend === undefined || each.backend === backend),
}
