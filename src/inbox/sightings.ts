// How each file of an inbox looked at the last looks, in memory: a file that stays the same has settled.

import type { Stats } from 'node:fs'

export type Look = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>

export class Sightings {
  readonly #settleMs: number
  #seen = new Map<string, { look: Look; sinceMs: number }>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  /**
   * Whether a file has settled: unchanged between two looks far enough apart, or last written long enough ago. A date in the future
   * says nothing: the clocks differ.
   * @param nowMs the wall clock, `monotonicMs` the other one
   */
  note(name: string, look: Look, nowMs: number, monotonicMs: number): boolean {
    const before = this.#seen.get(name)
    const sinceMs = before && isSame(before.look, look) ? before.sinceMs : monotonicMs
    this.#seen.set(name, { look, sinceMs })
    return monotonicMs - sinceMs >= this.#settleMs || nowMs - look.mtimeMs >= this.#settleMs
  }

  /** Forgets files that are gone, so that another one of the same name is looked at anew. */
  keepOnly(names: Iterable<string>): void {
    const there = new Set(names)
    for (const name of this.#seen.keys()) if (!there.has(name)) this.#seen.delete(name)
  }
}

export function isSame(one: Look, other: Look): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino
}
