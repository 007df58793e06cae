// Draws choices that depend on the seed alone and are independent of each other.

import { createHash } from 'node:crypto'

/** An integer from 0 to `below` - 1 for this seed and purpose. */
export function draw(seed: number, purpose: string, below: number): number {
  return createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE(0) % below
}
