// The name a spreadsheet program shows above a column.

/**
 * `0` is A, `26` is AA. Sentences name columns this way and never by their header: a file without a header has a
 * person where the names should be.
 */
export function columnLetters(index: number): string {
  let letters = ''
  for (let rest = index + 1; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(65 + ((rest - 1) % 26)) + letters
  }
  return letters
}
