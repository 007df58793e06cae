// Whether a row holds anything that a person would see.

export function isFilled(cells: readonly string[]): boolean {
  for (const cell of cells) if (cell !== '' && cell.trim() !== '') return true
  return false
}
