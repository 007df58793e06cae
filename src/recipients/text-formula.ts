// A formula of which the only content is a text: ="000123" is how exports keep a spreadsheet from dropping zeros. Pure.

const ofText = /^="((?:[^"]|"")*)"$/
// A name, a number, a place or a text behind the sign, as each formula has. Nobody is called so, while =) and => are only signs.
const formula = /^\{?=\s*[+-]?\s*(?:[\p{L}\d_"'$#{[]|\(.)/u

/**
 * The text in a formula that is nothing but one, such as 000123 of `="000123"`; any other value as it is. A spreadsheet shows the same,
 * so nothing is guessed.
 */
export function textInFormula(value: string): string {
  if (!value.startsWith('="')) return value
  return ofText.exec(value)?.[1]?.replaceAll('""', '"') ?? value
}

/** Whether a text is written like a formula, which a program that calculates nothing exported as it is typed. */
export function isFormula(value: string): boolean {
  return formula.test(value)
}
