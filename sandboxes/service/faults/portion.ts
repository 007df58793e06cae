// Chooses the part of a batch that a partial commit applies. Pure.

import { draw, drawsOf } from './draw.ts'

/**
 * Returns the applied positions out of `size`, ascending: for two or more recipients, some but not all of them; for a
 * single recipient, all or none.
 * @param call the number of the invitation
 */
export function portionOf(take: 'prefix' | 'scattered', size: number, seed: string, call: number): number[] {
  const drawn = draw(seed, 'portion', call)
  if (size < 2) return drawn < 0.5 ? [] : Array.from({ length: size }, (_, index) => index)
  const count = 1 + Math.floor(drawn * (size - 1))
  const positions = Array.from({ length: size }, (_, index) => index)
  if (take === 'prefix') return positions.slice(0, count)
  const rank = drawsOf(seed, 'portion rank', call)
  return positions
    .sort((a, b) => rank(a) - rank(b))
    .slice(0, count)
    .sort((a, b) => a - b)
}
