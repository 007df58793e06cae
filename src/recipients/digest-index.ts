// A map from digests to row numbers for millions of rows: 42 MB for a million in a typed array, where a Map keeps an object each.

import { hash } from 'node:crypto'

/** The first 64 bits of a SHA-256: enough to tell the values of one file apart, without keeping them. */
export function digestOf(text: string): [number, number] {
  const bytes = hash('sha256', text, 'buffer')
  return [bytes.readUInt32BE(0), bytes.readUInt32BE(4)]
}

/** What is kept under a key: the row that came first, and 64 bits that say whose it was. */
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

  /** The entry under `key`; when there is none, `entry` is kept and null returned. `row` is 0 to 2^32 - 2. */
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

  /** The entry under `key`, if there is one. */
  first(key: readonly [number, number]): DigestEntry | null {
    return this.#entryAt(this.#find(key))
  }

  #entryAt(at: number): DigestEntry | null {
    const slots = this.#slots
    if (slots[at + 4] === 0) return null
    return { row: (slots[at + 4] as number) - 1, owner: [slots[at + 2] as number, slots[at + 3] as number] }
  }

  /** Where `key` is, or the free slot where it belongs. */
  #find(key: readonly [number, number]): number {
    let slot = (key[0] ?? 0) % this.#capacity
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
