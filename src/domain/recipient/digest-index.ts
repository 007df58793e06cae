// Maps digests to row numbers, in memory, for millions of rows. A typed array takes 42 MB per million rows; a Map would
// hold an object for each row.

import { hash } from 'node:crypto'

/** Returns the first 64 bits of a SHA-256: enough to distinguish the values of one file without storing them. */
export function digestOf(text: string): [number, number] {
  const bytes = hash('sha256', text, 'buffer')
  return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
}

/** The entry under a key: the first row, and 64 bits that identify its owner. */
export interface DigestEntry {
  row: number
  owner: readonly [number, number]
}

const slotSize = 5 // key high, key low, owner high, owner low, row + 1 (0 means free)

/** Keys are the first 64 bits of a digest: among a million keys, two collide in 1 of 37 million files. */
export class DigestIndex {
  #capacity = 1_024
  #slots = new Uint32Array(this.#capacity * slotSize)
  #size = 0

  /** Returns the entry under `key`; if there is none, stores `entry` and returns null. `row` may be 0 to 2^32 - 2. */
  keepFirst(key: readonly [number, number], entry: DigestEntry): DigestEntry | null {
    const at = this.#find(key)
    const kept = this.#entryAt(at)
    if (kept) return kept
    const slots = this.#slots
    slots.set([key[0], key[1], entry.owner[0], entry.owner[1], entry.row + 1], at)
    this.#size++
    if (this.#size * 3 > this.#capacity * 2) this.#grow()
    return null
  }

  /** @returns the entry under `key`, or null */
  get(key: readonly [number, number]): DigestEntry | null {
    return this.#entryAt(this.#find(key))
  }

  #entryAt(at: number): DigestEntry | null {
    const slots = this.#slots
    if (slots[at + 4] === 0) return null
    return { row: (slots[at + 4] as number) - 1, owner: [slots[at + 2] as number, slots[at + 3] as number] }
  }

  /** @returns the position of `key`, or of the free slot where it belongs */
  #find(key: readonly [number, number]): number {
    let slot = key[0] % this.#capacity
    for (;;) {
      const at = slot * slotSize
      if (this.#slots[at + 4] === 0) return at
      if (this.#slots[at] === key[0] && this.#slots[at + 1] === key[1]) return at
      slot = (slot + 1) % this.#capacity
    }
  }

  #grow(): void {
    const old = this.#slots
    this.#capacity *= 2
    this.#slots = new Uint32Array(this.#capacity * slotSize)
    for (let at = 0; at < old.length; at += slotSize) {
      if (old[at + 4] === 0) continue
      const target = this.#find([old[at] as number, old[at + 1] as number])
      this.#slots.set(old.subarray(at, at + slotSize), target)
    }
  }
}
