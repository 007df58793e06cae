// Describes an adoption in words, and as a JSON document. People are masked. Pure.

import { type AdoptionTally, type Reason, ReasonTally } from '#src/issuing/adopt/adopt.ts'
import type { GatheredPeople } from '#src/issuing/adopt/gather-people.ts'
import type { CourseReading } from '#src/issuing/adopt/read-course-items.ts'
import { maskedItem } from '#src/issuing/descriptions/masked-person.ts'
import { countOf } from '#src/issuing/results/run-summary.ts'
import { oneLine } from '#src/platform/text.ts'

export interface AdoptionReport {
  certificate: string
  reading: Pick<CourseReading, 'total' | 'items'>
  gathered: GatheredPeople
  tally: AdoptionTally
  dryRun: boolean
  /** The run that contains the adopted rows. */
  run: string | null
}

/**
 * Returns true if an operator should check the result before anything is issued: somebody may have two credentials, or
 * get a second one.
 */
export function needsReview(gathered: GatheredPeople, tally: AdoptionTally): boolean {
  return gathered.unmatched.length + gathered.unread.length + tally.left.items + tally.surplus > 0
}

export function adoptionLines({ certificate, reading, gathered, tally }: AdoptionReport): string[] {
  const { adopted, states, taken, takenByFailed, known, surplus, surplusOfRejected, spent, forgotten } = tally
  const inStates = Object.entries(states).flatMap(([state, count]) =>
    count > 0 ? [`${count} ${stateWords[state]}`] : [],
  )
  const unusableCount = gathered.rejected.length + gathered.failed.length
  return [
    `The report has ${countOf(reading.total, 'item')}, ${reading.items.length} of them “${oneLine(certificate)}”:`,
    `  ${adopted} to adopt${inStates.length > 0 ? `: ${inStates.join(', ')}` : ''}`,
    ...countLine(taken - takenByFailed, 'of people whose rows were waiting to be sent; these rows are no longer sent'),
    ...countLine(
      takenByFailed,
      'valid credentials of people whose row failed: the row takes the existing credential, and is not sent again',
    ),
    ...countLine(known, 'already known to the ledger'),
    ...countLine(
      surplusOfRejected,
      'valid credentials of people whose row was rejected: check in the portal which of the two is right; the row stays rejected',
    ),
    ...countLine(
      surplus - surplusOfRejected,
      'second credentials of people who already have one; they are kept as surplus, and `credsync explain` shows them',
    ),
    ...countLine(spent, 'revoked, rejected or failed, of people who have another credential'),
    ...countLine(forgotten, 'of people who were forgotten: nothing of them is stored, and no list issues them again'),
    ...countLine(
      unusableCount,
      `rejected (${gathered.rejected.length}) or failed (${gathered.failed.length}): these people have no credential from them, and a list that names them requests one again`,
    ),
    ...reasonLines('left', tally.left.list()),
    ...reasonLines('could not be read', unreadReasons(gathered).list()),
    ...reasonLines('could not be matched', unmatchedReasons(gathered).list()),
    ...(needsReview(gathered, tally)
      ? ['  Check these before a list is issued: to the ledger, people who were not adopted are new.']
      : []),
  ]
}

const stateWords: Record<string, string> = {
  requested: 'requested',
  in_progress: 'in progress',
  issued: 'issued',
  revoked: 'revoked, which a list does not issue again',
}

function countLine(count: number, what: string): string[] {
  return count > 0 ? [`  ${count} ${what}`] : []
}

function reasonLines(kind: string, reasons: readonly Reason[]): string[] {
  return reasons.map(
    ({ because, items, examples }) =>
      `  ${items} ${kind}: ${oneLine(because)} (${examples.map(maskedItem).map(oneLine).join('; ')})`,
  )
}

function unreadReasons({ unread }: GatheredPeople): ReasonTally {
  const reasons = new ReasonTally()
  for (const entry of unread)
    reasons.add(`the status “${entry.item.issued_status ?? ''}” does not say whether there is a credential`, entry.item)
  return reasons
}

function unmatchedReasons({ unmatched }: GatheredPeople): ReasonTally {
  const reasons = new ReasonTally()
  for (const { item, because } of unmatched) reasons.add(because, item.item)
  return reasons
}

/**
 * Makes the document of `adopt --json`. items = adopted + taken + known + surplus + spent + forgotten + rejected +
 * failed + left + unread + unmatched
 */
export function adoptionDocument(report: AdoptionReport & { pipeline: string; course: string }): object {
  const { pipeline, course, certificate, reading, gathered, tally, dryRun, run } = report
  const { left, ...counts } = tally
  const listed = (reasons: ReasonTally) =>
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

/** Makes the notices that `status` shows for the run, without personal data. */
export function runNotices({
  certificate,
  gathered,
  tally,
}: Pick<AdoptionReport, 'certificate' | 'gathered' | 'tally'>): string[] {
  const notAdopted = gathered.unmatched.length + gathered.unread.length + tally.left.items
  return [
    `Adopted from the report, which calls the course “${oneLine(certificate)}”. These rows did not come from a file, so there is no results file.`,
    ...(notAdopted > 0
      ? [`${countOf(notAdopted, 'item')} of the report could not be adopted; \`credsync adopt --dry-run\` shows them.`]
      : []),
  ]
}

/** Lists the certificate names in the report, so that a person can choose the one that belongs to the course. */
export function certificateLines(
  pipeline: string,
  name: string | null,
  certificates: readonly (readonly [string, number])[],
): string[] {
  if (certificates.length === 0) return ['The report is empty: there is nothing to adopt.']
  const start =
    name === null
      ? 'It is not known yet which certificate in the report belongs to the course. The report has:'
      : `The report has no certificate “${oneLine(name)}”. It has:`
  return [
    start,
    ...certificates.map(nameLine),
    // The example contains no real name: users would copy it, and people of another course would be adopted for this
    // one.
    `Nothing was adopted. If you know which of them is this course, name it: \`credsync adopt --pipeline ${pipeline} --certificate "NAME"\``,
  ]
}

function nameLine([name, items]: readonly [string, number]): string {
  return `  ${String(items).padStart(7)}  ${name === '' ? '(without a name)' : oneLine(name)}`
}

export function namesDocument(
  pipeline: string,
  items: number,
  certificates: readonly (readonly [string, number])[],
): object {
  return {
    pipeline,
    complete: true,
    items,
    certificates: certificates.map(([name, count]) => ({ name, items: count })),
  }
}

/**
 * Warns if the given certificate name differs from the course's own; null if both agree or the course has none. Pure.
 */
export function otherNameWarning(certificate: string, courseName: string | null): string | null {
  const comparable = (name: string) => name.normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase()
  if (courseName === null || courseName.trim() === '' || comparable(courseName) === comparable(certificate)) return null
  return `The service's own record calls the course of this pipeline “${oneLine(courseName)}”, and --certificate is “${certificate}”. If that is another course, its people would be treated as people who already have the credential of this course, and they would never get one.`
}
