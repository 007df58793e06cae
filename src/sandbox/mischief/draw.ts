// The dice: numbers that look random and follow from the seed, a purpose and a position, as fate.ts draws fates.

import { hash } from 'node:crypto'

/**
 * A number from 0 up to (not including) 1. The same seed, purpose and position give the same number for ever; another
 * purpose gives one that has nothing to do with it, so switching one mischief on leaves the others' choices as they were.
 */
export function draw(seed: string, purpose: string, position: number): number {
  return hash('sha256', `${seed} ${purpose} ${position}`, 'buffer').readUInt32BE(0) / 2 ** 32
}

/**
 * The same for many positions of one purpose, where a digest for each would cost more than the page it is for
 * (about 1 µs against 10 ns): the digest makes the start, and a 32-bit mixer (murmur3's last step) the rest.
 */
export function drawsOf(seed: string, purpose: string, position: number): (index: number) => number {
  const start = Math.floor(draw(seed, purpose, position) * 2 ** 32)
  return (index) => {
    let bits = (start ^ Math.imul(index + 1, 0x9e3779b1)) >>> 0
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
  }
}
