// Converts the findings of a page into the changes to be written: report claims, state changes, and rows that are held
// for an operator. Pure.

import type { ReportChanges } from '#src/ledger/report/apply-report.ts'
import type { Move } from '#src/ledger/report/move-issuances.ts'
import type { Candidate, ReportFields } from '#src/ledger/report/report-items.ts'
import { differingFields } from './compare-person.ts'
import { decide, inState } from './decide-row.ts'
import type { ItemMatch } from './decide-shown-row.ts'
import type { Decision } from './decision.ts'
import type { MatchFinding } from './match-items.ts'
import type { Policy } from './policy.ts'
import type { SeenItem } from './read-report-item.ts'

/** @param now the time on the database's clock */
export function reportChanges(findings: readonly MatchFinding<SeenItem>[], now: Date, policy: Policy): ReportChanges {
  const changes: ReportChanges = { claims: [], upgrades: [], moves: [], shown: [], surplus: [], certificateNames: [] }
  const movesFor = (issuance: Candidate, relation: ItemMatch['relation'], item: SeenItem) =>
    movesOf(
      issuance,
      item,
      decide(inState(issuance.state), { kind: 'shown', item: showing(relation, issuance, item) }, now, policy),
    )
  const contested = new Set(
    findings.flatMap((finding) =>
      finding.kind === 'surplus' && !isAnotherPerson(finding.issuance, finding.item) ? [finding.issuance.id] : [],
    ),
  )
  for (const finding of findings) {
    const { item } = finding
    const ids = { key: item.key, fingerprint: item.fingerprint }
    if (finding.kind === 'claim') {
      const moves = movesFor(finding.issuance, contested.has(finding.issuance.id) ? 'one of two' : 'first', item)
      changes.claims.push({ issuanceId: finding.issuance.id, state: finding.issuance.state, ...ids })
      changes.moves.push(...moves, ...recordNewDetails(finding.issuance, item, moves))
    } else if (finding.kind === 'follow') {
      if (finding.upgradeFrom) changes.upgrades.push({ from: finding.upgradeFrom, to: item.key })
      if (!finding.issuance) continue
      const moves = movesFor(finding.issuance, 'known', item)
      const details = hasNewDetails(item.fields, finding.issuance.shown)
        ? recordNewDetails(finding.issuance, item, moves)
        : []
      changes.moves.push(...moves, ...details)
    } else if (finding.kind === 'surplus') {
      changes.surplus.push({ issuanceId: finding.issuance.id, ...ids })
      // If the first of two items on one page is only claimed now, the next scan handles the second one.
      if (finding.issuance.claimedKey !== null) changes.moves.push(...movesFor(finding.issuance, 'spare', item))
    } else if (finding.kind === 'ambiguous') {
      for (const issuance of finding.issuances) changes.moves.push(...movesFor(issuance, 'shared', item))
      changes.shown.push(...finding.issuances.map((issuance) => issuance.id))
    } else changes.shown.push(...finding.possibleOwners.map((possibleOwner) => possibleOwner.id))
  }
  changes.certificateNames = agreedNames(findings)
  return changes
}

function showing(relation: ItemMatch['relation'], issuance: Candidate, item: SeenItem): ItemMatch {
  return {
    relation,
    reading: item.reading,
    label: item.fields.reportStatus,
    differing: differingOf(issuance, item),
    // If there are several items, the operator may not have decided about this one.
    knownToPerson:
      issuance.decidedAt !== null &&
      item.firstSeenAt <= issuance.decidedAt &&
      (relation !== 'first' || issuance.surplusItems === 0 || !isAnotherPerson(issuance, item)),
  }
}

/** Returns whether the item shows a different person from the row, in any field that both have. */
export function isAnotherPerson(issuance: Candidate, item: SeenItem): boolean {
  return differingOf(issuance, item).length > 0
}

function differingOf(issuance: Candidate, item: SeenItem): string[] {
  return issuance.recipient ? differingFields(issuance.recipient, item.person) : []
}

function movesOf({ id, state }: Candidate, item: SeenItem, { steps }: Decision): Move[] {
  return steps.map(({ to, event, reason }, index) => {
    const from = steps[index - 1]?.to ?? state
    if (to === 'held')
      return { id, from, to, event, reason, evidence: { why: reason, ...evidenceOf(item) }, fields: null }
    return { id, from, to, event, reason, evidence: evidenceOf(item), fields: item.fields }
  })
}

/** Records new details of an item, such as a link, even if the row's state does not change. */
function recordNewDetails({ id, state }: Candidate, item: SeenItem, moves: readonly Move[]): Move[] {
  if (moves.some((move) => move.event === 'report' || move.to === 'held')) return []
  const current = moves.at(-1)?.to ?? state
  return [
    { id, from: current, to: current, event: 'report', reason: null, evidence: evidenceOf(item), fields: item.fields },
  ]
}

/**
 * Returns whether the item has new details. A link or an id may appear later than the label. A value that the report no
 * longer shows is ignored.
 */
function hasNewDetails(fields: ReportFields, shown: ReportFields): boolean {
  const names = Object.keys(fields) as (keyof ReportFields)[]
  return names.some((name) => fields[name] !== null && fields[name] !== shown[name])
}

/** Contains only ids and labels, because the history is kept longer than personal data. */
function evidenceOf(item: SeenItem): object {
  return {
    label: item.fields.reportStatus,
    item: item.key,
    credential: item.fields.credentialId,
    requestDate: item.requestDate,
  }
}

/**
 * Returns the certificate names that the page proves for courses. A name is learned only if all claimed items of the
 * page agree on it. Items that show somebody else are ignored, because a wrong name would hide every later item of the
 * course.
 */
function agreedNames(findings: readonly MatchFinding<SeenItem>[]): [string, string][] {
  const names = new Map<string, Set<string>>()
  for (const finding of findings) {
    if (finding.kind !== 'claim' || finding.issuance.certificateName || !finding.item.certificateName) continue
    if (differingOf(finding.issuance, finding.item).length > 0) continue
    const course = finding.issuance.courseUuid
    names.set(course, (names.get(course) ?? new Set()).add(finding.item.certificateName))
  }
  return [...names].filter(([, seen]) => seen.size === 1).map(([course, seen]) => [course, [...seen][0] as string])
}
