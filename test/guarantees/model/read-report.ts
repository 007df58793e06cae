// One reading of the report by the driver: matched by the worker's own rules, page by page; then the absent are judged.

import type { Candidate } from '#src/ledger/report.ts'
import { inState } from '#src/reconcile/decide.ts'
import type { Finding, MatchItem } from '#src/reconcile/match.ts'
import type { Showing } from '#src/reconcile/when-shown.ts'
import { aCandidate } from '#test/support/build.ts'
import { moment, type Row } from './course-row.ts'
import type { Course } from './driver.ts'
import type { Item } from './service-model.ts'

interface Seen extends MatchItem {
  shown: Item
}

const pageSize = 3

/** @param complete whether the pages added up; only then absence says anything */
export function readReport(course: Course, items: readonly Item[], complete: boolean): void {
  let shownUpTo = Number.NEGATIVE_INFINITY
  for (let at = 0; at < items.length; at += pageSize) {
    const page = items.slice(at, at + pageSize).map((item) => seen(course, item))
    const findings = course.judgement.match(page, { candidates: candidates(course, page), claims: claims(course) })
    for (const finding of findings) {
      if (finding.kind !== 'claim' && finding.kind !== 'follow') continue
      const row = course.rows[finding.issuance?.id ?? -1]
      if (finding.issuance?.lastOutcome === 'accepted') shownUpTo = Math.max(shownUpTo, row?.lastSentAt ?? shownUpTo)
    }
    for (const finding of findings) carryOut(course, finding)
  }
  if (!complete) return
  course.baselineAt = course.now
  judgeAbsent(course, shownUpTo)
}

function seen(course: Course, shown: Item): Seen {
  const { key, person } = shown
  if (!course.firstSeen.has(key)) course.firstSeen.set(key, course.now)
  const firstSeenAt = moment(course.firstSeen.get(key) as number)
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
        firstSentAt: moment(row.firstSentAt as number),
        lastSentAt: moment(row.lastSentAt as number),
        lastOutcome: row.call?.outcome ?? null,
        claimedKey: row.claim,
        decidedAt: row.decidedAt === null ? null : moment(row.decidedAt),
      }),
    )
}

function claims(course: Course): Map<string, number> {
  return new Map(course.rows.flatMap((row) => (row.claim === null ? [] : [[row.claim, row.id] as const])))
}

function carryOut(course: Course, finding: Finding<Seen>): void {
  const { item } = finding
  if (finding.kind === 'claim') {
    const row = course.rows[finding.issuance.id] as Row
    row.claim = item.key
    course.noteShown(row)
    show(course, row, 'first', item)
  } else if (finding.kind === 'follow' && finding.issuance)
    show(course, course.rows[finding.issuanceId] as Row, 'known', item)
  else if (finding.kind === 'surplus' && finding.issuance.claimedKey !== null)
    show(course, course.rows[finding.issuance.id] as Row, 'spare', item)
  else if (finding.kind === 'ambiguous')
    for (const { id } of finding.issuances) {
      course.noteShown(course.rows[id] as Row)
      show(course, course.rows[id] as Row, 'shared', item)
    }
  else if (finding.kind === 'foreign') for (const { id } of finding.maybeOf) course.noteShown(course.rows[id] as Row)
}

function show(course: Course, row: Row, as: Showing['as'], { shown, firstSeenAt }: Seen): void {
  const item: Showing = {
    as,
    reading: { kind: 'state', state: shown.status },
    label: shown.status,
    differing: shown.otherName ? ['Last Name'] : [],
    knownToPerson: row.decidedAt !== null && firstSeenAt <= moment(row.decidedAt),
  }
  const decision = course.judgement.decide(
    inState(row.state),
    { kind: 'shown', item },
    moment(course.now),
    course.policy,
  )
  course.take(row, decision)
}

function judgeAbsent(course: Course, shownUpTo: number): void {
  for (const row of course.rows) {
    if (row.state !== 'unconfirmed' || row.claim !== null || row.call?.endedAt == null) continue
    const controlShown = shownUpTo > row.call.endedAt
    const news = { kind: 'not shown' as const, scanBegan: moment(course.now), controlShown }
    course.take(row, course.ask(row, news), controlShown)
  }
}
