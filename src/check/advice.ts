// A fault's sentence in two: what is wrong, and what to do. Errors say both in one breath; a script wants them apart.

const begins =
  'Add|Ask|Bring|Change|Check|Choose|Correct|Enable|Free|Get|Give|Install|Issue|Let|Look|Make|Map|Mount|Move|Name|Next:|Please|Put|Rename|Remove|Run|See|Set|Start|Stop|Take|Turn|Use|Wait|Write'
const boundary = new RegExp(`^(.*?)[.;:] +((?:${begins})\\b.*)$`, 'is')

/** For what says only what is wrong. */
const general = '“Mend it” in docs/operations.md lists what can be done'

/** Pure. The first advice and all that follows it; `otherwise` where there is none. Neither part has a full stop. */
export function splitAdvice(sentence: string, otherwise = general): { what: string; remedy: string } {
  const [, what, remedy] = boundary.exec(sentence.trim()) ?? []
  if (!what || !remedy) return { what: withoutStop(sentence), remedy: otherwise }
  return { what: withoutStop(what), remedy: capital(withoutStop(remedy)) }
}

function withoutStop(text: string): string {
  return text.trim().replace(/\.$/, '')
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
