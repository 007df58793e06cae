// An adoption in words, and as a document. People are masked. Pure.

import type { AdoptionTally } from '#src/adopt/adopt.ts'
import type { Gathered } from '#src/adopt/gather-people.ts'
import type { CourseReading } from '#src/adopt/read-course.ts'
import { type Reason, Reasons } from '#src/adopt/reasons.ts'
import { countOf } from '#src/write-back/count-of.ts'
import { maskedItem } from './revocation-words.ts'

export interface ToldAdoption {
  certificate: string
  reading: Pick<CourseReading, 'total' | 'items'>
  gathered: Gathered
  tally: AdoptionTally
  dryRun: boolean
  /** The run that holds what was adopted. */
  run: string | null
}

/** Whether a person should look before anything is issued: somebody may have two credentials, or get a second one. */
export function needsLook(gathered: Gathered, tally: AdoptionTally): boolean {
  return gathered.unmatched.length + gathered.unread.length + tally.left.items + tally.surplus > 0
}

export function adoptionLines({ certificate, reading, gathered, tally }: ToldAdoption): string[] {
  const { adopted, states, taken, takenByFailed, known, surplus, surplusOfRejected, spent } = tally
  const inStates = Object.entries(states).flatMap(([state, count]) => (count > 0 ? [`${count} ${words[state]}`] : []))
  const refused = gathered.rejected.length + gathered.failed.length
  return [
    `The report holds ${countOf(reading.total, 'item')}, ${reading.items.length} of them “${certificate}”:`,
    `  ${adopted} to adopt${inStates.length > 0 ? `: ${inStates.join(', ')}` : ''}`,
    ...when(taken - takenByFailed, 'of people who wait to be sent; they are not sent'),
    ...when(
      takenByFailed,
      'valid credentials of people whose row failed: the row takes the credential that there is, and is not sent again',
    ),
    ...when(known, 'known to the ledger already'),
    ...when(
      surplusOfRejected,
      'valid credentials of people whose row was rejected: look in the portal which of the two is right; the row stays rejected',
    ),
    ...when(
      surplus - surplusOfRejected,
      'second credentials of people who have one; they are kept as surplus, and `credsync explain` shows them',
    ),
    ...when(spent, 'revoked, rejected or failed, of people who have another one'),
    ...when(
      refused,
      `rejected (${gathered.rejected.length}) or failed (${gathered.failed.length}): nobody has a credential by them, and a list that names these people asks for them again`,
    ),
    ...reasonLines('left', tally.left.list()),
    ...reasonLines('could not be read', unreadReasons(gathered).list()),
    ...reasonLines('could not be matched', unmatchedReasons(gathered).list()),
    ...(needsLook(gathered, tally)
      ? ['  Look at these before a list is issued: who is not adopted is new to the ledger.']
      : []),
  ]
}

const words: Record<string, string> = {
  requested: 'requested',
  in_progress: 'in progress',
  issued: 'issued',
  revoked: 'revoked, whom a list does not issue again',
}

function when(count: number, what: string): string[] {
  return count > 0 ? [`  ${count} ${what}`] : []
}

function reasonLines(kind: string, reasons: readonly Reason[]): string[] {
  return reasons.map(
    ({ because, items, examples }) => `  ${items} ${kind}: ${because} (${examples.map(maskedItem).join('; ')})`,
  )
}

function unreadReasons({ unread }: Gathered): Reasons {
  const reasons = new Reasons()
  for (const each of unread)
    reasons.add(`the status “${each.item.issued_status ?? ''}” does not say whether there is a credential`, each.item)
  return reasons
}

function unmatchedReasons({ unmatched }: Gathered): Reasons {
  const reasons = new Reasons()
  for (const { item, because } of unmatched) reasons.add(because, item.item)
  return reasons
}

/** items = adopted + taken + known + surplus + spent + rejected + failed + left + unread + unmatched */
export function adoptionDocument(told: ToldAdoption & { pipeline: string; course: string }): object {
  const { pipeline, course, certificate, reading, gathered, tally, dryRun, run } = told
  const { left, ...counts } = tally
  const listed = (reasons: Reasons) =>
    reasons.list().map(({ because, items, examples }) => ({ because, items, examples: examples.map(maskedItem) }))
  return {
    ...{ pipeline, course, certificate, complete: true, dryRun, run },
    items: reading.items.length,
    ...counts,
    rejected: gathered.rejected.length,
    failed: gathered.failed.length,
    left: listed(left),
    unread: listed(unreadReasons(gathered)),
    unmatched: listed(unmatchedReasons(gathered)),
  }
}

/** What `status` says about the run. No people in it. */
export function runNotices({
  certificate,
  gathered,
  tally,
}: Pick<ToldAdoption, 'certificate' | 'gathered' | 'tally'>): string[] {
  const notAdopted = gathered.unmatched.length + gathered.unread.length + tally.left.items
  return [
    `Adopted from the report, which calls the course “${certificate}”. Nobody handed these rows over, so there is no results file.`,
    ...(notAdopted > 0
      ? [`${countOf(notAdopted, 'item')} of the report could not be adopted; \`credsync adopt --dry-run\` shows them.`]
      : []),
  ]
}

/** Which names there are, for the person who knows which is the course's. */
export function certificateLines(
  pipeline: string,
  name: string | null,
  certificates: readonly (readonly [string, number])[],
): string[] {
  if (certificates.length === 0) return ['The report is empty: there is nothing to adopt.']
  const start =
    name === null
      ? 'Which of the certificates in the report is that of the course, the ledger does not know yet. The report has:'
      : `The report has no certificate “${name}”. It has:`
  return [
    start,
    ...certificates.map(
      ([each, items]) => `  ${String(items).padStart(7)}  ${each === '' ? '(without a name)' : each}`,
    ),
    // No name in it: the most frequent one would be copied, and people of another course be taken for this one's.
    `Nothing was adopted. Whoever knows which of them is this course names it: \`credsync adopt --pipeline ${pipeline} --certificate "NAME"\``,
  ]
}

/** For the person who says which name is the course's; null where the course itself has that name, or none. Pure. */
export function otherNameWarning(certificate: string, courseName: string | null): string | null {
  const folded = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
  if (courseName === null || courseName.trim() === '' || folded(courseName) === folded(certificate)) return null
  return `The service's own detail calls the course of this pipeline “${courseName}”, and you say “${certificate}”. If that is another course, its people would be taken for people who have this one's credential, and never be issued it.`
}
