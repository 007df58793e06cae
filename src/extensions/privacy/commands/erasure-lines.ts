// Describes what an erasure finds and empties, and what is left elsewhere. Names and addresses are masked. Pure.

import { basename, dirname } from 'node:path'
import { maskValue } from '#src/domain/recipient/mask-value.ts'
import type { DeliveredOutcome } from '#src/extensions/lms/ledger/forget-learners.ts'
import type { ErasureCounts, ListedErasure } from '#src/extensions/privacy/ledger/erasure-store.ts'
import type { ListedSource } from '#src/extensions/privacy/ledger/files-to-clean.ts'
import type { FoundPerson } from '#src/extensions/privacy/ledger/find-people.ts'
import type { Records } from '#src/extensions/privacy/ledger/person-records.ts'
import type { LostErasure } from '#src/extensions/privacy/ledger/recorded-erasures.ts'
import { maskedPerson } from '#src/issuing/descriptions/masked-person.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'

export const issuanceNames = (ids: readonly number[]) => ids.map((id) => `i${id}`)

/** Records by the names that commands accept; completions, which have none, are counted. */
export const recordNames = ({ ids, rows, completions }: Records): string[] => [
  ...issuanceNames(ids),
  ...rows.map(({ run, row }) => `row ${run.slice(0, 8)}:${row}`),
  ...(completions.length > 0 ? [countOf(completions.length, 'completion')] : []),
]

/** WHO as it may be shown: ids as they are, everything else masked. */
function shownWho(text: string): string {
  return /^i\d+$|^[0-9a-f-]{8,36}:\d+$/i.test(text) ? text : maskValue(text)
}

/** What was found of one person. */
export function personLines(who: string, { recipient, earlier, others, ...own }: FoundPerson): string[] {
  const { ids, people } = earlier
  const before = people.length + ids.length > 0 ? [`what was kept since ${earlier.day}`] : []
  const person = recipient ? `${maskedPerson(recipient)}: ` : ''
  return [`${shownWho(who)}: ${person}${[...recordNames(own), ...before].join(', ')}`, ...otherLines(others)]
}

function otherLines(others: Records): string[] {
  const names = recordNames(others)
  if (names.length === 0) return []
  return [
    `  left out, because they have the same address, number or identity and not the same name: ${names.join(', ')}. If one is of the same person, name it as well.`,
  ]
}

/** Why nobody was chosen. */
export function whyNobody(who: string, { ambiguous, earlier, others }: FoundPerson): string {
  const shown = shownWho(who)
  const names = recordNames(ambiguous)
  if (names.length > 0)
    return `${shown}: ${names.join(', ')} have that, with different names or none, so they may be of several people. Name those that are theirs: an issuance as i42, a row as RUN:ROW, a learner as SYSTEM:LEARNER (\`credsync explain\` shows them).`
  const [id] = earlier.ids
  if (earlier.day !== null)
    return [
      `${shown}: forgotten on ${earlier.day}${id === undefined ? '' : ` (i${id})`}. --release deletes the keyed hashes as well, and a later list issues the person again.`,
      ...otherLines(others),
    ].join('\n')
  return `${shown}: no one in the ledger matches that.`
}

export function countLines(
  counts: ErasureCounts,
  { revokes, releases }: { revokes: boolean; releases: boolean },
): string[] {
  const { issuances, withdrawn, underWay, issued, rows, lists, completions, certificates, told } = counts
  const lines: [number, string][] = [
    [issuances, `${countOf(issuances, 'issuance')}: the data are emptied; ids, states and dates stay`],
    [withdrawn, `${withdrawn} of them not sent yet: withdrawn for ever`],
    [underWay, `${underWay} of them under way, or held for a decision: waited for`],
    [
      rows,
      `${countOf(rows, 'row')} of ${countOf(lists, 'list')}: emptied, and the files of the outbox are written again`,
    ],
    [completions, `${countOf(completions, 'completion')} of learning systems`],
    [certificates, countOf(certificates, 'archived certificate')],
    [
      told,
      `${countOf(told, 'outcome')} in learning systems: not ours to delete${revokes ? '; the revocation follows' : ''}`,
    ],
    [
      issued,
      `${countOf(issued, 'credential')}: ${revokes ? 'revoked first' : 'still valid at the service, which has no call to delete it; --revoke revokes first'}`,
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
  const { kind, issuances, rows, completions, notRevoked, waitsFor } = erasure
  const valid = notRevoked.map(({ issuanceId, credentialId }) => `i${issuanceId} (${credentialId})`).join(', ')
  const state = erasure.endedAt
    ? `ended ${erasure.endedAt.toISOString()}`
    : `open, ${erasure.emptied} of ${issuances + rows + completions} emptied`
  const how = [
    kind === 'retention' ? 'by retention' : `by ${erasure.by}`,
    ...(erasure.revokes ? ['with revocation'] : []),
    ...(erasure.releases ? ['released'] : []),
  ]
  return [
    `${erasure.id}: ${state} (${erasure.environment})`,
    `  requested ${erasure.requestedAt.toISOString()} ${how.join(', ')}: ${erasure.reason}`,
    `  ${countOf(issuances, 'issuance')} and their rows, ${countOf(rows, 'other row')}, ${countOf(completions, 'completion')}`,
    ...(valid === ''
      ? []
      : [
          `  not revoked, and still valid: ${valid}. The service refused that, or its report does not show it. Run \`credsync revoke\` again, or use the portal.`,
        ]),
    ...(waitsFor ? [`  waits: ${waitsFor}`] : []),
  ]
}

/** An erasure that a restored ledger has lost. */
export function lostLine({ line, ids, rows, completions }: LostErasure): string {
  const found = recordNames({ ids, rows, completions })
  const what =
    found.length > 0
      ? found.join(', ')
      : 'nothing of it is in this ledger. If `credsync adopt` brings it back, run this command again'
  return `Erasure ${line.erasure}, of ${line.at.slice(0, 10)}${line.releases ? ', with release' : ''}: ${what}`
}

const dayMs = 86_400_000

/** The setting `files.keepDays`; `unread` where no configuration is read. */
type KeepDays = number | 'unread' | undefined

export function sourceFileLines(files: readonly ListedSource[], keepDays: KeepDays): string[] {
  if (files.length === 0) return []
  return [
    'Not ours to change, and still showing them: the credential service, and these source files:',
    ...files.map((file) => `  ${file.path} (${whenItGoes(file, keepDays)})`),
    '  Lists that were refused, or that wait for a decision, are not searched: look in their files.',
  ]
}

/** The folder of a list that was uploaded to the console. */
const uploadFolder = /[\\/]uploads[\\/][0-9a-f-]{36}[\\/]list$/

function whenItGoes({ path, filedAt }: ListedSource, keepDays: KeepDays): string {
  if (uploadFolder.test(dirname(path))) return 'uploaded to the console: goes by itself once its run has read it'
  if (!['done', 'refused'].includes(basename(dirname(path)))) return 'not in an inbox: delete it yourself'
  if (keepDays === undefined) return 'kept for ever, because files.keepDays is not set'
  if (!filedAt) return 'once its run has ended'
  if (keepDays === 'unread') return `filed on ${dayOf(filedAt, 0)}; files.keepDays says how long it is kept`
  return `goes on ${dayOf(filedAt, keepDays)} or soon after`
}

const dayOf = (date: Date, daysLater: number) =>
  new Date(new Date(date).getTime() + daysLater * dayMs).toISOString().slice(0, 10)

/** A long list is in the JSON. */
const mostOutcomes = 20

export function deliveredOutcomeLines(outcomes: readonly DeliveredOutcome[]): string[] {
  if (outcomes.length === 0) return []
  const more = outcomes.length - mostOutcomes
  return [
    'Not ours to delete, what was delivered to:',
    ...outcomes
      .slice(0, mostOutcomes)
      .map(
        ({ target, what, outcome, issuanceId, at }) =>
          `  ${target}: ${what} “${outcome}” of i${issuanceId}, ${at.toISOString().slice(0, 10)}`,
      ),
    ...(more > 0 ? [`  and ${countOf(more, 'outcome')} more; --json lists all`] : []),
  ]
}
