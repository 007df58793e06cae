// Keeps spreadsheet programs from running cells of a CSV file as formulas, in a way that can be undone exactly. Pure.

// OWASP's list for CSV injection (= + - @ TAB CR, and LF, NUL), plus the full-width forms that some spreadsheets fold
// into the plain ones. Leading apostrophes are skipped, so that a cell that already had one can be distinguished from
// one that was guarded here.
const operators = String.raw`=+\-@\uFF1D\uFF0B\uFF0D\uFF20`
// Where people write decimal commas, a spreadsheet splits the cells of a CSV at semicolons, and then their lines, too.
const places = [
  { start: '(?:^|;)"*', formula: String.raw`(?='*[${operators}\t\r\n\u0000])` },
  { start: String.raw`[\r\n]"*`, formula: `(?='*[${operators}])` },
].map(({ start, formula }) => ({
  unguarded: new RegExp(start + formula, 'g'),
  guarded: new RegExp(`${start}'${formula}`, 'g'),
}))

/** Puts an apostrophe wherever a spreadsheet would begin to run a formula. */
export function guardFormula(cell: string): string {
  return places.reduceRight((text, { unguarded }) => text.replace(unguarded, (start) => `${start}'`), cell)
}

/** Reverts `guardFormula` when a CSV file that credsync wrote is read back. */
export function unguardFormula(cell: string): string {
  return places.reduce((text, { guarded }) => text.replace(guarded, (start) => start.slice(0, -1)), cell)
}
