// Splits the message of a fault into what is wrong and what to do about it. Error messages contain both; scripts need
// them separately. Pure.

import { capitalized } from '#src/platform/capitalized.ts'

const verbs =
  'Add|Allow|Ask|Begin|Bring|Change|Check|Choose|Confirm|Connect|Correct|Create|Enable|End|Fill|Free|Get|Give|Inspect|Install|Issue|Let|Look|Make|Map|Mount|Move|Name|Next:|Please|Put|Raise|Rename|Renew|Remove|Request|Restart|Restore|Run|See|Set|Start|Stop|Submit|Take|Try|Turn|Unset|Use|Wait|Write'
const boundary = new RegExp(`^(.*?)[.;:] +((?:${verbs})\\b.*)$`, 'is')

/** The remedy for messages that say only what is wrong. */
const defaultRemedy = '“Fix it” in docs/operations.md lists what can be done'

/**
 * Returns as `remedy` the advice and everything that follows it, or `fallbackRemedy` if the message has none. Neither
 * part ends with a full stop. Pure.
 */
export function splitAdvice(sentence: string, fallbackRemedy = defaultRemedy): { what: string; remedy: string } {
  const [, what, remedy] = boundary.exec(sentence.trim()) ?? []
  if (!what || !remedy) return { what: withoutFullStop(sentence), remedy: fallbackRemedy }
  return { what: withoutFullStop(what), remedy: capitalized(withoutFullStop(remedy)) }
}

function withoutFullStop(text: string): string {
  return text.trim().replace(/\.$/, '')
}
