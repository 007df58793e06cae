// A repeatable random source: the same seed always gives the same numbers.

export interface Dice {
  /** Returns a number in [0, 1). */
  next(): number
  chance(probability: number): boolean
  /** Returns an integer from `low` to `high`, both included. */
  between(low: number, high: number): number
  pick<T>(from: readonly T[]): T
  /**
   * Returns a separate source for one part of a simulation, so that an additional draw there does not change the other
   * parts.
   */
  split(part: string): Dice
}

export function openDice(seed: number, part = ''): Dice {
  let state = mixed(seed, part)
  const next = () => {
    // mulberry32: 32 bits of state are enough for some ten thousand draws.
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    chance: (probability) => next() < probability,
    between,
    pick: <T>(from: readonly T[]) => from[between(0, from.length - 1)] as T,
    split: (name) => openDice(seed, `${part}/${name}`),
  }
}

function mixed(seed: number, part: string): number {
  let hash = 2166136261
  for (const letter of `${seed} ${part}`) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 16777619)
  return hash | 0
}
