// The parameters of an address: known names, each once (xAPI 1.0.3, Communication 3.2: anything else is a 400).

import { Refusal } from './refusal.ts'

/** @throws Refusal 400 when one is unknown or there twice; names are compared letter by letter. */
export function parametersOf(query: URLSearchParams, known: readonly string[]): Map<string, string> {
  const found = new Map<string, string>()
  const possible = known.length > 0 ? `Possible are ${known.join(', ')}.` : 'None is possible here.'
  for (const [name, value] of query) {
    if (!known.includes(name)) throw new Refusal(400, `The address has an unknown parameter. ${possible}`)
    if (found.has(name)) throw new Refusal(400, `The address has the parameter ${name} twice. Send it once.`)
    found.set(name, value)
  }
  return found
}
