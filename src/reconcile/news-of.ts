// Findings become what is written: claims, steps along the road, rows for a person. Pure.

import { roadTo } from '#src/issuance/lifecycle.ts'
import { type State, watchedStates } from '#src/issuance/state.ts'
import type { ReportNews } from '#src/ledger/ledger.ts'
import type { Candidate, Move, ReportFields } from '#src/ledger/report.ts'
import { differingFields } from './compare-person.ts'
import type { Finding } from './match.ts'
import type { SeenItem } from './read-item.ts'

export function newsOf(findings: readonly Finding<SeenItem>[]): ReportNews {
  const news: ReportNews = { claims: [], upgrades: [], moves: [], surplus: [], certificateNames: [] }
  for (const finding of findings) {
    if (finding.kind === 'claim') takeClaim(news, finding.issuance, finding.item)
    else if (finding.kind === 'follow') takeFollow(news, finding)
    else if (finding.kind === 'surplus') takeSurplus(news, finding.issuance, finding.item)
    else if (finding.kind === 'ambiguous')
      for (const issuance of finding.issuances)
        news.moves.push(
          ...holdMoves(
            issuance.id,
            backInDoubt(news, issuance, finding.item),
            'one report item fits two credentials of this person',
            finding.item,
          ),
        )
  }
  news.certificateNames = agreedNames(findings)
  return news
}

function takeClaim(news: ReportNews, issuance: Candidate, item: SeenItem): void {
  const differing = differingOf(issuance, item)
  news.claims.push({ issuanceId: issuance.id, key: item.key, fingerprint: item.fingerprint })
  const state = backInDoubt(news, issuance, item)
  if (differing.length > 0) {
    news.moves.push(
      ...holdMoves(
        issuance.id,
        state,
        `the report shows other values than were sent for: ${differing.join(', ')}`,
        item,
      ),
    )
    return
  }
  // Whatever its label says, an item that is ours proves that the service has the request.
  const found: Move[] =
    state === 'unconfirmed' ? [move(issuance.id, 'unconfirmed', 'requested', 'found in the report', item)] : []
  news.moves.push(...found, ...stepsFor(issuance.id, found.length > 0 ? 'requested' : state, item))
}

/** A row that was proven absent and is about to be sent again, and here is its item after all: it must not go out. */
function backInDoubt(news: ReportNews, issuance: Candidate, item: SeenItem): State {
  if (issuance.state !== 'pending') return issuance.state
  news.moves.push(move(issuance.id, 'pending', 'unconfirmed', 'the report shows it after all', item))
  return 'unconfirmed'
}

function differingOf(issuance: Candidate, item: SeenItem): string[] {
  return issuance.recipient ? differingFields(issuance.recipient, item.person) : []
}

function takeFollow(news: ReportNews, finding: Extract<Finding<SeenItem>, { kind: 'follow' }>): void {
  if (finding.upgradeFrom) news.upgrades.push({ from: finding.upgradeFrom, to: finding.item.key })
  if (finding.issuance)
    news.moves.push(...stepsFor(finding.issuance.id, finding.issuance.state, finding.item, finding.issuance.shown))
}

/** Two items for one row: before it is settled a person decides which is which; afterwards the second is counted and shown. */
function takeSurplus(news: ReportNews, issuance: Candidate, item: SeenItem): void {
  news.surplus.push({ issuanceId: issuance.id, key: item.key, fingerprint: item.fingerprint })
  if (issuance.claimedKey !== null && !knownToPerson(issuance, item))
    news.moves.push(...holdMoves(issuance.id, issuance.state, 'the report shows two items for this one row', item))
}

/** Whoever decided about the row has seen this item: it is no reason to ask them once more. */
function knownToPerson(issuance: Candidate, item: SeenItem): boolean {
  return issuance.decidedAt !== null && item.firstSeenAt <= issuance.decidedAt
}

function holdMoves(id: number, state: State, reason: string, item: SeenItem): Move[] {
  if (!watchedStates.includes(state)) return []
  return [
    {
      id,
      from: state,
      to: 'held',
      event: 'held for a person',
      reason,
      evidence: { why: reason, ...evidenceOf(item) },
      fields: null,
    },
  ]
}

/** The steps that the label asks for; where it asks for none (known already, backwards, not documented) only its news, if any. */
function stepsFor(id: number, from: State, item: SeenItem, shown?: ReportFields): Move[] {
  const { reading } = item
  const road = reading.kind === 'state' ? roadTo(from, reading.state) : null
  if (!road || road.length === 0) {
    if (shown && !hasNews(item.fields, shown)) return []
    return [move(id, from, from, 'report', item)]
  }
  let at = from
  return road.map((to) => {
    const step = move(id, at, to, 'report', item)
    at = to
    return step
  })
}

/** A link or an id may come later than the label it belongs to. What the report no longer shows is not news. */
function hasNews(fields: ReportFields, shown: ReportFields): boolean {
  const names = Object.keys(fields) as (keyof ReportFields)[]
  return names.some((name) => fields[name] !== null && fields[name] !== shown[name])
}

function move(id: number, from: State, to: State, event: string, item: SeenItem): Move {
  return { id, from, to, event, reason: remedyOf(to, item), evidence: evidenceOf(item), fields: item.fields }
}

/** Whoever handed the row over reads this in the results: it says whom to ask, and that waiting is of no use. */
function remedyOf(to: State, item: SeenItem): string | null {
  if (to === 'rejected') return 'the certification body rejected it; ask them why. credsync does not send it again'
  if (to === 'failed')
    return `the service could not issue it (${item.fields.reportStatus}); ask its support. credsync does not send it again by itself`
  return null
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
