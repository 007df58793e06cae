// Remembers which rows of a workbook are to be sent, for what only its end tells: merged cells are listed behind the rows. A bit for each row,
// so that the longest sheet takes 128 KB.

export interface TakenRows {
  /** @param row as a spreadsheet program counts */
  add(row: number): void
  has(row: number): boolean
}

export function rememberTaken(): TakenRows {
  let bits = new Uint8Array(1_024)
  return {
    add(row) {
      const at = row >> 3
      if (at >= bits.length) {
        const longer = new Uint8Array(Math.max(at + 1, bits.length * 2))
        longer.set(bits)
        bits = longer
      }
      bits[at] = (bits[at] as number) | (1 << (row & 7))
    },
    has: (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
  }
}
