// Which cases are wanted: all, or the one that a failing case's message names.

import type { CrashCase } from './crash-case.ts'
import { pointNamed } from './points.ts'

const { POINT: point, THEN: second, BACKEND: backend } = process.env

// A name that is wrong must not pass as a suite in which nothing failed.
for (const name of [point, second]) if (name !== undefined) pointNamed(name)

export const chosen = {
  /** The first kill's point, where one is named. */
  point: point ?? null,
  /** The second kill's point; such a case belongs to the double crashes alone. */
  second: second ?? null,
  backend: backend === 'redis' || backend === 'postgres' ? backend : null,
  includes: (each: CrashCase): boolean =>
    (point === undefined || each.point === point) && (backend === undefined || each.backend === backend),
}
