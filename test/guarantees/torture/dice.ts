// Dice from a seed (mulberry32): the same seed draws the same, on any machine.

export interface Dice {
  /** True with this chance, 0 to 1. */
  chance(share: number): boolean
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  oneOf<Choice>(choices: readonly Choice[]): Choice
  /** A number from 0 to 1, without 1. */
  next(): number
}

export function openDice(seed: number): Dice {
  let state = (seed * 2_654_435_761) >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (from: number, to: number) => from + Math.floor(next() * (to - from + 1))
  return {
    next,
    between,
    chance: (share) => next() < share,
    oneOf: (choices) => choices[between(0, choices.length - 1)] as (typeof choices)[number],
  }
}
