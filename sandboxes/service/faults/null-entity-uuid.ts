// Fault: requests appear in the report before they have an id. Pure.

import { drawsOf } from './draw.ts'
import type { Faults } from './faults.ts'

/**
 * Returns a function that decides whether entity_uuid is still null for a request (by number) that has been in the report
 * for `shownMs`.
 */
export function hiddenUuids({ nullEntityUuid }: Faults, seed: string): (number: number, shownMs: number) => boolean {
  if (!nullEntityUuid) return () => false
  const drawn = drawsOf(seed, 'null entity_uuid', 0)
  return (number, shownMs) => shownMs < nullEntityUuid.forMs && drawn(number) < nullEntityUuid.share
}
