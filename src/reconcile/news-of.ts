// Findings become what is written: claims, steps along the road, rows for a person. Pure.

import type { ReportNews } from '#src/ledger/ledger.ts'
import type { Candidate, Move, ReportFields } from '#src/ledger/report.ts'
import { differingFields } from './compare-person.ts'
import { decide, inState } from './decide.ts'
import type { Decision } from './decision.ts'
import type { Finding } from './match.ts'
import type { Policy } from './policy.ts'
import type { SeenItem } from './read-item.ts'
import type { Showing } from './when-shown.ts'

/** @param now on the database's clock */
export function newsOf(findings: readonly Finding<SeenItem>[], now: Date, policy: Policy): ReportNews {
  const news: ReportNews = { claims: [], upgrades: [], moves: [], shown: [], surplus: [], certificateNames: [] }
  const ask = (issuance: Candidate, as: Showing['as'], item: SeenItem) =>
    movesOf(
      issuance,
      item,
      decide(inState(issuance.state), { kind: 'shown', item: showing(as, issuance, item) }, now, policy),
    )
  const rivals = new Set(
    findings.flatMap((each) =>
      each.kind === 'surplus' && !isSomebodyElse(each.issuance, each.item) ? [each.issuance.id] : [],
    ),
  )
  for (const finding of findings) {
    const { item } = finding
    const ours = { key: item.key, fingerprint: item.fingerprint }
    if (finding.kind === 'claim') {
      const moves = ask(finding.issuance, rivals.has(finding.issuance.id) ? 'one of two' : 'first', item)
      news.claims.push({ issuanceId: finding.issuance.id, state: finding.issuance.state, ...ours })
      news.moves.push(...moves, ...staysWithNews(finding.issuance, item, moves))
    } else if (finding.kind === 'follow') {
      if (finding.upgradeFrom) news.upgrades.push({ from: finding.upgradeFrom, to: item.key })
      if (!finding.issuance) continue
      const moves = ask(finding.issuance, 'known', item)
      const stays = hasNews(item.fields, finding.issuance.shown) ? staysWithNews(finding.issuance, item, moves) : []
      news.moves.push(...moves, ...stays)
    } else if (finding.kind === 'surplus') {
      news.surplus.push({ issuanceId: finding.issuance.id, ...ours })
      // The second of two on one page: the next reading knows that the first is claimed.
      if (finding.issuance.claimedKey !== null) news.moves.push(...ask(finding.issuance, 'spare', item))
    } else if (finding.kind === 'ambiguous') {
      for (const issuance of finding.issuances) news.moves.push(...ask(issuance, 'shared', item))
      news.shown.push(...finding.issuances.map((each) => each.id))
    } else news.shown.push(...finding.maybeOf.map((each) => each.id))
  }
  news.certificateNames = agreedNames(findings)
  return news
}

function showing(as: Showing['as'], issuance: Candidate, item: SeenItem): Showing {
  return {
    as,
    reading: item.reading,
    label: item.fields.reportStatus,
    differing: differingOf(issuance, item),
    // Of several items a person cannot have meant this one.
    knownToPerson:
      issuance.decidedAt !== null &&
      item.firstSeenAt <= issuance.decidedAt &&
      (as !== 'first' || issuance.surplusItems === 0 || !isSomebodyElse(issuance, item)),
  }
}

/** Whether the item shows another person than the row's, in any field that both have. */
export function isSomebodyElse(issuance: Candidate, item: SeenItem): boolean {
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

/** The label changes nothing about where the row ends up, but the item shows more than before, such as its link. */
function staysWithNews({ id, state }: Candidate, item: SeenItem, moves: readonly Move[]): Move[] {
  if (moves.some((move) => move.event === 'report' || move.to === 'held')) return []
  const at = moves.at(-1)?.to ?? state
  return [{ id, from: at, to: at, event: 'report', reason: null, evidence: evidenceOf(item), fields: item.fields }]
}

/** A link or an id may come later than the label it belongs to. What the report no longer shows is not news. */
function hasNews(fields: ReportFields, shown: ReportFields): boolean {
  const names = Object.keys(fields) as (keyof ReportFields)[]
  return names.some((name) => fields[name] !== null && fields[name] !== shown[name])
}

/** Ids and labels only: the history outlives the personal data. */
function evidenceOf(item: SeenItem): object {
  return {
    label: item.fields.reportStatus,
    item: item.key,
    credential: item.fields.credentialId,
    requestDate: item.requestDate,
  }
}

/**
 * A course's name in the report is believed when every claimed item of the page agrees on it. An item that shows somebody else has
 * no say: a wrong name would hide every item of the course from then on.
 */
function agreedNames(findings: readonly Finding<SeenItem>[]): [string, string][] {
  const names = new Map<string, Set<string>>()
  for (const finding of findings) {
    if (finding.kind !== 'claim' || finding.issuance.certificateName || !finding.item.certificateName) continue
    if (differingOf(finding.issuance, finding.item).length > 0) continue
    const course = finding.issuance.courseUuid
    names.set(course, (names.get(course) ?? new Set()).add(finding.item.certificateName))
  }
  return [...names].filter(([, seen]) => seen.size === 1).map(([course, seen]) => [course, [...seen][0] as string])
}
