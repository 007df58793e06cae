// Remembers which rows of a workbook were accepted, because merged cells are listed after the rows. In memory only: one
// bit for each row, so the longest possible sheet needs 128 KB.

export interface AcceptedRows {
  /** @param row the row number that a spreadsheet program shows, starting at 1 */
  add(row: number): void
  has(row: number): boolean
}

export function openAcceptedRows(): AcceptedRows {
  let bits = new Uint8Array(1_024)
  return {
    add(row) {
      const byte = row >> 3
      if (byte >= bits.length) {
        const longer = new Uint8Array(Math.max(byte + 1, bits.length * 2))
        longer.set(bits)
        bits = longer
      }
      bits[byte] = (bits[byte] as number) | (1 << (row & 7))
    },
    has: (row) => ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0,
  }
}
