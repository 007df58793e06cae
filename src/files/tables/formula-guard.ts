// Keeps spreadsheet programs from running cells of a CSV file as formulas, in a way that can be undone exactly. Pure.

// OWASP's list for CSV injection (= + - @ TAB CR, and LF, NUL), plus the full-width forms that some spreadsheets fold
// into the plain ones. Leading apostrophes are skipped, so that a cell that already had one can be distinguished from
// one that was guarded here.
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL, tab and line ends are guarded too
const formulaStart = /^'*[=+\-@\t\r\n\u0000\uFF1D\uFF0B\uFF0D\uFF20]/

/** Prefixes the cell with an apostrophe if a spreadsheet would run it as a formula. */
export function guardFormula(cell: string): string {
  return formulaStart.test(cell) ? `'${cell}` : cell
}

/** Reverts `guardFormula` when a CSV file that credsync wrote is read back. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && formulaStart.test(cell) ? cell.slice(1) : cell
}
