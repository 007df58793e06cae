// Reads the query parameters of a request. Unknown or repeated parameters are refused with 400 (xAPI 1.0.3,
// Communication 3.2). Pure.

import { StatementRefusal } from './statement-refusal.ts'

/**
 * Returns the values by name. Parameter names are case-sensitive.
 * @throws StatementRefusal 400 when a parameter is unknown or repeated
 */
export function parametersOf(query: URLSearchParams, known: readonly string[]): Map<string, string> {
  const values = new Map<string, string>()
  const allowed = known.length > 0 ? `Allowed parameters: ${known.join(', ')}.` : 'This resource allows no parameters.'
  for (const [name, value] of query) {
    if (!known.includes(name)) throw new StatementRefusal(400, `The URL has an unknown parameter. ${allowed}`)
    if (values.has(name))
      throw new StatementRefusal(400, `The URL has the parameter ${name} more than once. Send the parameter once.`)
    values.set(name, value)
  }
  return values
}
