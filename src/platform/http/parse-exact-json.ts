// Parses JSON of a learning system without losing digits of large whole numbers. Pure.

/**
 * Returns a whole number that JavaScript cannot represent exactly, such as the Canvas id 21070000000000123 of a learner
 * from another institution of a consortium, as a string with its original digits.
 * @throws SyntaxError for text that is not JSON
 */
export function parseExactJson(text: string): unknown {
  return JSON.parse(text, keepDigits)
}

function keepDigits(_: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(source) ? source : value
}
