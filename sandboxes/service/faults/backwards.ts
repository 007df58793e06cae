// Fault: the report sometimes shows completed requests as in progress. Pure.

import { drawsOf } from './draw.ts'
import type { Faults } from './faults.ts'

/** Returns a function that changes the status of a request (by number) for the report call with the number `call`. */
export function backwardsOf(
  { backwards }: Faults,
  seed: string,
  call: number,
): (status: number, number: number) => number {
  if (!backwards) return (status) => status
  const drawFor = drawsOf(seed, 'backwards', call)
  return (status, number) => (status === 3 && drawFor(number) < backwards.share ? 2 : status)
}
