// Writes what one page of the report shows into the twin: claims, transitions and surplus, all or nothing.

import type { ReportChanges } from '#src/ledger/report/apply-report.ts'
import type { Move } from '#src/ledger/report/move-issuances.ts'
import type { ReportFields } from '#src/ledger/report/report-items.ts'
import { closeItems, dropUnsendableAttempts } from './attempts.ts'
import { type Change, changeIssuance } from './change-issuance.ts'
import { ConstraintError } from './constraint-error.ts'
import type { ClaimRecord, IssuanceRecord } from './records.ts'
import { noteSurplus } from './surplus.ts'
import { courseOf, type Tables } from './tables.ts'
import { requestResultsFor } from './write-backs.ts'

export function applyReport(
  tables: Tables,
  news: ReportChanges,
): { claimed: number; moved: number; surplus: number[] } {
  return tables.transaction(() => {
    const claimed = new Set(news.claims.flatMap((claim) => claimItem(tables, claim) ?? []))
    for (const id of [...claimed, ...news.shown]) noteShown(tables, id)
    for (const { from, to } of news.upgrades) upgradeClaim(tables, from, to)
    const wished = new Set(news.claims.map((claim) => claim.issuanceId))
    const moved = moveIssuances(
      tables,
      news.moves.filter((move) => !wished.has(move.id) || claimed.has(move.id)),
    )
    dropUnsendableAttempts(tables, moved)
    const surplus = noteSurplus(
      tables,
      news.surplus.filter(({ issuanceId, key }) => {
        const own = tables.issuances[issuanceId - 1]?.claim?.key
        return own !== undefined && own !== key
      }),
    )
    for (const [course, name] of news.certificateNames) learnName(tables, course, name)
    requestResultsFor(tables, [...moved, ...surplus])
    return { claimed: claimed.size, moved: moved.size, surplus: surplus.map((each) => each.id) }
  })
}

/** @returns the issuance's id, or null if the key or the issuance was already claimed */
function claimItem(
  tables: Tables,
  { issuanceId, state, key, fingerprint }: ReportChanges['claims'][number],
): number | null {
  const issuance = tables.issuances[issuanceId - 1]
  if (!issuance || issuance.claim || issuance.state !== state || tables.claims.has(key)) return null
  const claim: ClaimRecord = { key, fingerprint, issuance }
  tables.claims.set(key, claim)
  issuance.claim = claim
  tables.undo(() => {
    tables.claims.delete(key)
    issuance.claim = null
  })
  return issuanceId
}

function learnName(tables: Tables, course: string, name: string): void {
  const others = [...tables.courses.values()].filter((other) => other.uuid !== course)
  if (!others.some((other) => other.certificateName === name)) courseOf(tables, course).certificateName ??= name
}

/** The report shows the row, so every call that contained it has arrived. */
function noteShown(tables: Tables, issuanceId: number): void {
  for (const { attempt } of tables.issuances[issuanceId - 1]?.items ?? []) {
    if (attempt.shown) continue
    attempt.shown = true
    tables.undo(() => {
      attempt.shown = false
    })
  }
}

function upgradeClaim(tables: Tables, from: string, to: string): void {
  const claim = tables.claims.get(from)
  if (!claim || from === to) return
  if (tables.claims.has(to)) throw new ConstraintError('23505', 'a report item belongs to one issuance')
  rename(tables, claim, to)
  tables.undo(() => rename(tables, claim, from))
}

function rename(tables: Tables, claim: ClaimRecord, key: string): void {
  tables.claims.delete(claim.key)
  claim.key = key
  tables.claims.set(key, claim)
}

/**
 * Applied in order: each transition starts from the result of the previous one, and is skipped if the row is not in
 * `from`.
 */
function moveIssuances(tables: Tables, moves: readonly Move[]): Set<IssuanceRecord> {
  const at = tables.now()
  const moved = new Set<IssuanceRecord>()
  for (const move of moves) {
    const issuance = tables.issuances[move.id - 1]
    if (issuance?.state !== move.from) continue
    const { to: state, event, evidence } = move
    const change: Change = { state, event, evidence, shown: shownWith(issuance.shown, move.fields) }
    if (move.from !== state) change.reason = move.reason
    changeIssuance(tables, issuance, change, at)
    moved.add(issuance)
  }
  for (const issuance of moved)
    if (!['pending', 'sending', 'unconfirmed'].includes(issuance.state)) closeItems(tables, issuance.items)
  return moved
}

/** Known values that the report no longer shows are kept. */
function shownWith(known: ReportFields, fields: ReportFields | null): ReportFields {
  if (!fields) return known
  return {
    reportStatus: fields.reportStatus ?? known.reportStatus,
    entityUuid: fields.entityUuid ?? known.entityUuid,
    credentialId: fields.credentialId ?? known.credentialId,
    verifierLink: fields.verifierLink ?? known.verifierLink,
    issueDate: fields.issueDate ?? known.issueDate,
    validTill: fields.validTill ?? known.validTill,
    revokedDate: fields.revokedDate ?? known.revokedDate,
  }
}
