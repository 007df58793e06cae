// Writes a workbook's number the way a person sees it in the cell.

/**
 * 15 significant digits, as spreadsheet programs show: 19.989999999999998 is 19.99. From 1e15 on the last digits are
 * already lost, so the number is written as 1.23E+15, which no check of a register number takes for one.
 */
export function numberText(value: number): string {
  if (Number.isSafeInteger(value) && Math.abs(value) < 1e15) return String(value)
  const rounded = Number(value.toPrecision(15))
  if (rounded === 0) return '0'
  if (Math.abs(rounded) >= 1e15) return rounded.toExponential().replace('e', 'E')
  return String(rounded).replace('e', 'E')
}
