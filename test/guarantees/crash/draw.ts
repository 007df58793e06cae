// Choices that follow from the seed alone, each independent of the others.

import { createHash } from 'node:crypto'

/** A whole number from 0 to `below` - 1 for this seed and purpose. */
export function draw(seed: number, purpose: string, below: number): number {
  return createHash('sha256').update(`${seed} ${purpose}`).digest().readUInt32BE(0) % below
}
