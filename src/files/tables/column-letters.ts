// Names a column by the letters that a spreadsheet program shows above it, and recognizes blank rows. Pure.

/**
 * `0` is A, `26` is AA. Messages name columns this way and not by their header, because in a file without a header the
 * first row contains personal data.
 */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** @returns true if the row has a cell that is not blank */
export function isFilled(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return true
  return false
}
