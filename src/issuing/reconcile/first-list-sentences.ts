// Describes what the report shows of a course before its first list, in sentences for the operator who decides. The
// sentences contain no personal data. Pure.

/**
 * Describes items that have the name of the course.
 * @param more whether there may be more items than were counted
 */
export function sameNameSentence(name: string, items: number, more: boolean): string {
  return `The report already shows ${more ? 'at least ' : ''}${items} ${items === 1 ? 'credential' : 'credentials'} called “${plain(name)}”; ${nextStep}`
}

/**
 * Describes people on the list who have credentials.
 * @param findings.names the certificate names of these credentials; null for an item without a name
 */
export function alreadyIssuedSentence(findings: {
  holders: number
  searched: number
  names: readonly (string | null)[]
}): string {
  const { holders, searched, names } = findings
  const known = names.filter((name) => name !== null).slice(0, maxNames)
  const credentials =
    known.length > 0
      ? `credentials called ${known.map((name) => `“${plain(name)}”`).join(', ')}, a name that no other course has`
      : 'credentials without a name'
  return `The report already shows ${credentials}, for ${holders} of the ${searched} people on this list who were searched for; ${nextStep}`
}

export const cannotSearchSentence =
  'Whether the report already shows people on this list cannot be determined: the service does not search the report for people, and the report is too long to read completely; run `credsync adopt` first, or `credsync approve RUN` if no one else has issued for this course.'

const nextStep = 'run `credsync adopt` first, or `credsync approve RUN` if these credentials belong to another course.'
const maxNames = 3

/**
 * Removes line breaks and control characters from a name, because it comes from the service and is shown on terminals.
 */
function plain(name: string): string {
  return name
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 100)
}
