// One scan of the report by the driver: matches page by page with the worker's own rules, then decides about absent
// rows.

import { inState } from '#src/issuing/reconcile/decide-row.ts'
import type { ItemMatch } from '#src/issuing/reconcile/decide-shown-row.ts'
import type { MatchFinding, MatchItem } from '#src/issuing/reconcile/match-items.ts'
import type { Candidate } from '#src/ledger/report/report-items.ts'
import { aCandidate } from '#test/support/domain-objects.ts'
import type { Course } from './course-driver.ts'
import { dateAt, type Row } from './course-row.ts'
import type { Item } from './service-model.ts'

interface Seen extends MatchItem {
  shown: Item
}

const pageSize = 3

/** @param complete whether the pages added up; only then does absence count */
export function readReport(course: Course, items: readonly Item[], complete: boolean): void {
  let shownUpTo = Number.NEGATIVE_INFINITY
  for (let at = 0; at < items.length; at += pageSize) {
    const page = items.slice(at, at + pageSize).map((item) => toMatchItem(course, item))
    const findings = course.functions.match(page, { candidates: candidates(course, page), claims: claims(course) })
    for (const finding of findings) {
      if (finding.kind !== 'claim' && finding.kind !== 'follow') continue
      const row = course.rows[finding.issuance?.id ?? -1]
      if (finding.issuance?.lastOutcome === 'accepted') shownUpTo = Math.max(shownUpTo, row?.lastSentAt ?? shownUpTo)
    }
    for (const finding of findings) carryOut(course, finding)
  }
  if (!complete) return
  course.baselineAt = course.now
  decideAbsent(course, shownUpTo)
}

function toMatchItem(course: Course, shown: Item): Seen {
  const { key, person } = shown
  if (!course.firstSeen.has(key)) course.firstSeen.set(key, course.now)
  const firstSeenAt = dateAt(course.firstSeen.get(key) as number)
  return {
    ...{ key, fingerprint: key, hashes: [`p${person}`], requestDate: null, certificateName: null, firstSeenAt },
    shown,
  }
}

function candidates(course: Course, page: readonly Seen[]): Candidate[] {
  const people = new Set(page.map(({ shown }) => shown.person))
  return course.rows
    .filter((row) => row.firstSentAt !== null && people.has(row.person))
    .map((row) =>
      aCandidate(row.id, {
        state: row.state,
        matchHashes: [`p${row.person}`],
        firstSentAt: dateAt(row.firstSentAt as number),
        lastSentAt: dateAt(row.lastSentAt as number),
        lastOutcome: row.call?.outcome ?? null,
        claimedKey: row.claim,
        decidedAt: row.decidedAt === null ? null : dateAt(row.decidedAt),
      }),
    )
}

function claims(course: Course): Map<string, number> {
  return new Map(course.rows.flatMap((row) => (row.claim === null ? [] : [[row.claim, row.id] as const])))
}

function carryOut(course: Course, finding: MatchFinding<Seen>): void {
  const { item } = finding
  if (finding.kind === 'claim') {
    const row = course.rows[finding.issuance.id] as Row
    row.claim = item.key
    course.noteShown(row)
    applyItem(course, row, 'first', item)
  } else if (finding.kind === 'follow' && finding.issuance)
    applyItem(course, course.rows[finding.issuanceId] as Row, 'known', item)
  else if (finding.kind === 'surplus' && finding.issuance.claimedKey !== null)
    applyItem(course, course.rows[finding.issuance.id] as Row, 'spare', item)
  else if (finding.kind === 'ambiguous')
    for (const { id } of finding.issuances) {
      course.noteShown(course.rows[id] as Row)
      applyItem(course, course.rows[id] as Row, 'shared', item)
    }
  else if (finding.kind === 'foreign')
    for (const { id } of finding.possibleOwners) course.noteShown(course.rows[id] as Row)
}

function applyItem(course: Course, row: Row, relation: ItemMatch['relation'], { shown, firstSeenAt }: Seen): void {
  const item: ItemMatch = {
    relation,
    reading: { kind: 'state', state: shown.status },
    label: shown.status,
    differing: shown.otherName ? ['Last Name'] : [],
    knownToPerson: row.decidedAt !== null && firstSeenAt <= dateAt(row.decidedAt),
  }
  const decision = course.functions.decide(
    inState(row.state),
    { kind: 'shown', item },
    dateAt(course.now),
    course.policy,
  )
  course.applyDecision(row, decision)
}

function decideAbsent(course: Course, shownUpTo: number): void {
  for (const row of course.rows) {
    if (row.state !== 'unconfirmed' || row.claim !== null || row.call?.endedAt == null) continue
    const controlShown = shownUpTo > row.call.endedAt
    const observation = { kind: 'not shown' as const, scanStartedAt: dateAt(course.now), controlShown }
    course.applyDecision(row, course.decideRow(row, observation), controlShown)
  }
}
