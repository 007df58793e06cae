// Unwraps a formula that contains nothing but text, and recognizes formulas that were not calculated. Some exports
// write ="000123" so that a spreadsheet does not drop the zeros. Pure.

const textFormula = /^="((?:[^"]|"")*)"$/
// Requires a name, a number, a cell reference or text after the equals sign, because every formula has one of them. No
// personal name looks like that, and =) and => are just symbols.
const formula = /^\{?=\s*(?:[+-]\s*)?(?:[\p{L}\d_"'$#{[]|\(.)/u

/**
 * Returns the text of a formula that contains nothing but text, such as 000123 for `="000123"`, and any other value
 * unchanged. A spreadsheet would show the same text, so nothing is guessed.
 */
export function textInFormula(value: string): string {
  if (!value.startsWith('="')) return value
  return textFormula.exec(value)?.[1]?.replaceAll('""', '"') ?? value
}

/** @returns true if the value looks like a formula that was exported without being calculated */
export function isFormula(value: string): boolean {
  return formula.test(value)
}
