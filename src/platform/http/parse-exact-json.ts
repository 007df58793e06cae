// Parses JSON from a learning system without losing digits of large integers. Pure.

/**
 * Returns the parsed document. An integer that JavaScript cannot represent exactly becomes a string with its original
 * digits. An example is the Canvas id 21070000000000123 of a learner from another institution of a consortium.
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
