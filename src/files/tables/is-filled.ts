// Decides whether a row has a cell that is not blank. Pure.

export function isFilled(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return true
  return false
}
