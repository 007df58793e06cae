// Keeps spreadsheet programs from running cells of a CSV file as formulas, in a way that can be undone exactly. Pure.

// OWASP's list for CSV injection (= + - @ TAB CR, and LF, NUL), plus the full-width forms that some spreadsheets fold
// into the plain ones. Leading apostrophes are skipped, so that a cell that already had one can be distinguished from
// one that was guarded here.
const formula = String.raw`'*[=+\-@\t\r\n\u0000\uFF1D\uFF0B\uFF0D\uFF20]`
// Where people write decimal commas, a spreadsheet splits the cells of a CSV at semicolons.
const unguarded = new RegExp(`(^|;)(?=${formula})`, 'g')
const guarded = new RegExp(`(^|;)'(?=${formula})`, 'g')

/** Puts an apostrophe wherever a spreadsheet would begin to run a formula. */
export function guardFormula(cell: string): string {
  return cell.replace(unguarded, "$1'")
}

/** Reverts `guardFormula` when a CSV file that credsync wrote is read back. */
export function unguardFormula(cell: string): string {
  return cell.replace(guarded, '$1')
}
