// Requests that show in the report before they have an id to show.

import { drawsOf } from './draw.ts'
import type { Mischief } from './mischief.ts'

/** Whether the request of a number, in the report for `shownMs` already, still shows no entity_uuid. */
export function hiddenUuids({ nullEntityUuid }: Mischief, seed: string): (number: number, shownMs: number) => boolean {
  if (!nullEntityUuid) return () => false
  const drawn = drawsOf(seed, 'null entity_uuid', 0)
  return (number, shownMs) => shownMs < nullEntityUuid.forMs && drawn(number) < nullEntityUuid.share
}
