// Describes what an erasure finds and empties. Names and addresses are masked. Pure.

import { maskValue } from '#src/domain/recipient/mask-value.ts'
import { maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { countOf } from '#src/issuing/results/counted-noun.ts'
import type { ErasureCounts } from '#src/ledger/erasure/count-erasure.ts'
import type { FoundPerson } from '#src/ledger/erasure/found-person.ts'
import type { ErasedContent, NewerRecords } from '#src/ledger/erasure/newer-records.ts'
import type { ListedErasure } from '#src/ledger/erasure/open-erasures.ts'

const rowNames = (rows: FoundPerson['rows']) => rows.map(({ run, row }) => `${run.slice(0, 8)}:${row}`)
export const issuanceNames = (ids: readonly number[]) => ids.map((id) => `i${id}`)

/** WHO as it may be shown: ids as they are, everything else masked. */
export function shownWho(text: string): string {
  return /^i\d+$|^[0-9a-f-]{8,36}:\d+$/i.test(text) ? text : maskValue(text)
}

/** What was found of one person. */
export function personLines(
  who: string,
  { ids, rows, completions, earlier, recipient, leftOut }: FoundPerson,
): string[] {
  const found = [
    ...issuanceNames(ids),
    ...rowNames(rows).map((name) => `row ${name}`),
    ...(completions.length > 0 ? [countOf(completions.length, 'completion')] : []),
    ...(earlier.traces.length > 0 && rows.length + completions.length === 0
      ? [`the hashes of ${countOf(earlier.traces.length, 'row')} of earlier lists`]
      : []),
  ]
  const person = recipient ? `${maskedPerson(recipient)}: ` : ''
  return [`${shownWho(who)}: ${person}${found.join(', ')}`, ...leftOutLines(leftOut)]
}

/** What may be of somebody else. Of somebody who was forgotten before, it may also be what came since. */
export function leftOutLines(leftOut: FoundPerson['leftOut']): string[] {
  const left = [...issuanceNames(leftOut.ids), ...rowNames(leftOut.rows).map((name) => `row ${name}`)]
  return [
    ...(left.length > 0
      ? [
          `  left out, because only an address, a number or an identity agrees: ${left.join(', ')}. If it is the same person, name it as well.`,
        ]
      : []),
    ...(leftOut.completions.length > 0
      ? [`  left out for the same reason: ${countOf(leftOut.completions.length, 'completion')} of a learning system`]
      : []),
  ]
}

/** What came between the search and the request. @param shown what the operator has seen already */
export function newerLines(newer: NewerRecords, shown: readonly Pick<FoundPerson, 'leftOut'>[]): string[] {
  const seen = new Set(shown.flatMap(({ leftOut }) => [...issuanceNames(leftOut.ids), ...rowNames(leftOut.rows)]))
  const seenCompletions = new Set(shown.flatMap(({ leftOut }) => leftOut.completions))
  const own = contentNames(newer)
  const left = contentNames({
    ...newer.leftOut,
    completions: newer.leftOut.completions.filter((id) => !seenCompletions.has(id)),
  }).filter((name) => !seen.has(name))
  return [
    ...(own.length > 0 ? [`Came in the meantime, and is part of the erasure: ${own.join(', ')}.`] : []),
    ...(left.length > 0
      ? [`Came in the meantime, and is left out, because it may be of somebody else: ${left.join(', ')}.`]
      : []),
  ]
}

const contentNames = ({ ids, rows, completions }: ErasedContent) => [
  ...issuanceNames(ids),
  ...rowNames(rows),
  ...(completions.length > 0 ? [countOf(completions.length, 'completion')] : []),
]

/** Why nobody was chosen. */
export function whyNobody(who: string, { ambiguous, ambiguousSystems: systems = [], leftOut }: FoundPerson): string {
  const shown = shownWho(who)
  const matches = [...issuanceNames(ambiguous), ...systems.map((system) => `a learner of ${system}`)]
  if (matches.length > 0) {
    const names = [
      ...(ambiguous.length > 0 ? ['each by its id'] : []),
      ...(systems.length > 0 ? [`the learner with the system, such as ${systems[0]}:NUMBER`] : []),
    ]
    return `${shown}: ${matches.join(', ')} match, and may be of several people. Name ${names.join(', or ')}.`
  }
  const rows = rowNames(leftOut.rows)
  const completions = leftOut.completions.length
  const found = [...rows.map((name) => `row ${name}`), ...(completions > 0 ? [countOf(completions, 'completion')] : [])]
  if (found.length === 0) return `${shown}: no one in the ledger matches that.`
  const remedies = [
    ...(rows.length > 0 ? ['each row that is theirs by RUN:ROW'] : []),
    ...(completions > 0 ? ['the learner by their number, which `credsync explain` shows'] : []),
  ]
  const isOne = rows.length + completions === 1
  return `${shown}: ${found.join(', ')} ${isOne ? 'has that, and may be somebody else’s' : 'have that, and may be of several people'}. Name ${remedies.join(', and ')}.`
}

export function countLines(
  counts: ErasureCounts,
  { revokes, releases }: { revokes: boolean; releases: boolean },
): string[] {
  const { issuances, withdrawn, underWay, issued, rows, lists, completions, certificates, told } = counts
  const lines: [number, string][] = [
    [issuances, `${countOf(issuances, 'issuance')}: the data are emptied; ids, states and dates stay`],
    [
      withdrawn,
      `${withdrawn} of them ${withdrawn === 1 ? 'waits' : 'wait'} to be sent, and ${withdrawn === 1 ? 'is' : 'are'} withdrawn for ever`,
    ],
    [
      underWay,
      `${underWay} of them ${underWay === 1 ? 'is' : 'are'} under way, or held for a decision, which is waited for`,
    ],
    [
      rows,
      `${countOf(rows, 'row')} of ${countOf(lists, 'list')}: the cells are emptied, and the files of the outbox are written again`,
    ],
    [completions, `${countOf(completions, 'completion')} of learning systems`],
    [certificates, `${countOf(certificates, 'archived certificate')}`],
    [
      told,
      `${countOf(told, 'outcome')} in learning systems: not ours to delete${revokes ? '; the revocation is delivered there as well' : ''}`,
    ],
    [
      issued,
      revokes
        ? `${countOf(issued, 'credential')}: revoked first`
        : `${countOf(issued, 'credential')}: still valid at the service, which has no call to delete it; --revoke revokes first`,
    ],
  ]
  return [
    ...lines.filter(([count]) => count > 0).map(([, text]) => `  ${text}`),
    releases
      ? '  keyed hashes are deleted as well: a later list that names the person issues again'
      : '  keyed hashes stay, so that no later list issues to the person again',
  ]
}

export function erasureLines(erasure: ListedErasure): string[] {
  const {
    id,
    kind,
    environment,
    requestedAt,
    by,
    reason,
    endedAt,
    issuances,
    rows,
    completions,
    emptied,
    revokes,
    releases,
    notRevoked,
  } = erasure
  const valid = notRevoked.map(({ issuanceId, credentialId }) => `i${issuanceId} (${credentialId})`).join(', ')
  const it = notRevoked.length === 1 ? 'it' : 'them'
  const all = issuances + rows + completions
  const how = [
    kind === 'retention' ? 'by retention' : `by ${by}`,
    ...(revokes ? ['with revocation'] : []),
    ...(releases ? ['released'] : []),
  ]
  return [
    `${id}: ${endedAt ? `ended ${endedAt.toISOString()}` : `open, ${emptied} of ${all} emptied`} (${environment})`,
    `  requested ${requestedAt.toISOString()} ${how.join(', ')}: ${reason}`,
    `  ${countOf(issuances, 'issuance')} with ${issuances === 1 ? 'its' : 'their'} rows, ${countOf(rows, 'other row')}, ${countOf(completions, 'completion')}`,
    ...(notRevoked.length > 0
      ? [
          `  not revoked, and still valid: ${valid}. The service refused ${it}, or its report does not show ${it}. Run \`credsync revoke\` for ${it} again, or revoke ${it} in the portal.`,
        ]
      : []),
    ...(erasure.waitsFor ? [`  waits: ${erasure.waitsFor}`] : []),
  ]
}
