// Remembers in memory the size, time and inode of each file at earlier scans of an inbox: a file that stays the same
// has settled, so it is completely written.

import type { Stats } from 'node:fs'

export type FileState = Pick<Stats, 'size' | 'mtimeMs' | 'ino'>

export class SettleTracker {
  readonly #settleMs: number
  #seen = new Map<string, { state: FileState; sinceMs: number }>()

  constructor(settleMs: number) {
    this.#settleMs = settleMs
  }

  /**
   * Records the state of a file. Returns true if it has settled: unchanged between two scans far enough apart, or last
   * written long enough ago. A time in the future settles nothing, because the clocks may differ.
   * @param nowMs the wall clock
   * @param monotonicMs the monotonic clock
   */
  note(name: string, state: FileState, nowMs: number, monotonicMs: number): boolean {
    const before = this.#seen.get(name)
    const sinceMs = before && isSameState(before.state, state) ? before.sinceMs : monotonicMs
    this.#seen.set(name, { state, sinceMs })
    return monotonicMs - sinceMs >= this.#settleMs || nowMs - state.mtimeMs >= this.#settleMs
  }

  /** Forgets files that no longer exist, so that a new file of the same name starts anew. */
  keepOnly(names: Iterable<string>): void {
    const kept = new Set(names)
    for (const name of this.#seen.keys()) if (!kept.has(name)) this.#seen.delete(name)
  }
}

export function isSameState(one: FileState, other: FileState): boolean {
  return one.size === other.size && one.mtimeMs === other.mtimeMs && one.ino === other.ino
}
