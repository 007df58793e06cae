// Deterministic random numbers, derived from the seed, a purpose and a position. Pure.

import { hash } from 'node:crypto'

/**
 * Returns a number from 0 up to (not including) 1, which is always the same for the same seed, purpose and position.
 * Different purposes are independent, so enabling one fault does not change the choices of the others.
 */
export function draw(seed: string, purpose: string, position: number): number {
  return hash('sha256', `${seed} ${purpose} ${position}`, 'buffer').readUInt32BE(0) / 2 ** 32
}

/**
 * Returns a function that draws many numbers for one purpose. A digest per number would take longer than the page it is
 * for (about 1 µs instead of 10 ns), so one digest gives the start, and a 32-bit mixer (murmur3's last step) the
 * numbers.
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
