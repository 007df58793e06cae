// Keeps cells of a CSV file from running as formulas in a spreadsheet, in a way that can be undone exactly.

// OWASP's list for CSV injection (= + - @ TAB CR, and LF, NUL), plus the full-width forms that some spreadsheets fold into
// the plain ones. Leading apostrophes are looked through, so that a cell which had one before us is told from one we guarded.
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL, tab and line ends are what the guard is about
const runs = /^'*[=+\-@\t\r\n\u0000\uFF1D\uFF0B\uFF0D\uFF20]/

/** The cell with a leading apostrophe when a spreadsheet would run it as a formula; otherwise the cell itself. */
export function guardFormula(cell: string): string {
  return runs.test(cell) ? `'${cell}` : cell
}

/** The cell as it was before `guardFormula`, for reading back a CSV file that we wrote. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && runs.test(cell) ? cell.slice(1) : cell
}
