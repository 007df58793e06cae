// Statuses that run backwards: a completed request that shows as in progress at some looks.

import { drawsOf } from './draw.ts'
import type { Mischief } from './mischief.ts'

/** The status of a request (by number) as the report call of this number shows it. */
export function backwardsOf(
  { backwards }: Mischief,
  seed: string,
  call: number,
): (status: number, number: number) => number {
  if (!backwards) return (status) => status
  const drawn = drawsOf(seed, 'backwards', call)
  return (status, number) => (status === 3 && drawn(number) < backwards.share ? 2 : status)
}
