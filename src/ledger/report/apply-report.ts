// Applies one page of the credential report to the database in one transaction: report claims, the resulting states,
// and surplus items.

import type { Database, Sql } from '#src/platform/database/database.ts'
import { dropUnsendableAttempts, lockWithBatches } from '../attempts/attempts.ts'
import { requestResultsFor } from '../runs/write-backs.ts'
import { type Move, moveIssuances } from './move-issuances.ts'
import {
  claimReportItems,
  findCandidates,
  findReportClaims,
  learnCertificateName,
  type NewReportClaim,
  noteShown,
  noteSurplus,
  upgradeReportClaim,
} from './report-items.ts'

export interface ReportChanges {
  claims: NewReportClaim[]
  upgrades: { from: string; to: string }[]
  moves: Move[]
  /** Issuances that claim no item on this page although their batches have provably reached the service. */
  shown: number[]
  surplus: { issuanceId: number; key: string; fingerprint: string }[]
  /** Pairs of a course UUID and the report's name for the course. */
  certificateNames: [string, string][]
}

export function reportStore(db: Database, environment: string) {
  return {
    findCandidates: (hashes: readonly Buffer[], keys: readonly string[]) =>
      findCandidates(db, environment, hashes, keys),
    findClaims: (keys: readonly string[]) => findReportClaims(db, environment, keys),
    apply: (changes: ReportChanges) =>
      db.transaction(async (sql) => {
        await lockWithBatches(sql, [
          ...[changes.claims, changes.surplus].flatMap((each) => each.map(({ issuanceId }) => issuanceId)),
          ...changes.moves.map(({ id }) => id),
        ])
        const claimed = await claimReportItems(sql, environment, changes.claims)
        await noteShown(sql, [...claimed, ...changes.shown])
        for (const upgrade of changes.upgrades) await upgradeReportClaim(sql, environment, upgrade.from, upgrade.to)
        const withoutClaim = new Set(changes.claims.map((claim) => claim.issuanceId).filter((id) => !claimed.has(id)))
        const moved = await moveIssuances(
          sql,
          changes.moves.filter((move) => !withoutClaim.has(move.id)),
        )
        // Leaves out moves that only record new details of a row that stays pending.
        const wasPending = changes.moves.filter(
          ({ id, from, to }) => from === 'pending' && to !== from && moved.has(id),
        )
        await dropUnsendableAttempts(
          sql,
          wasPending.map(({ id }) => id),
        )
        const surplus = await noteSurplus(sql, environment, await besideTheirOwn(sql, changes.surplus))
        for (const [course, name] of changes.certificateNames)
          await learnCertificateName(sql, environment, course, name)
        await requestResultsFor(sql, [...moved, ...surplus])
        return { claimed: claimed.size, moved: moved.size, surplus }
      }),
  }
}

/**
 * Returns the items of issuances that have claimed a different item. If an operator decided about a row while the page
 * was being read, the row's own item was released and only looks like a second one. If it were counted, the row would
 * be held again after every decision.
 */
async function besideTheirOwn(sql: Sql, surplus: ReportChanges['surplus']): Promise<ReportChanges['surplus']> {
  if (surplus.length === 0) return []
  const { rows } = await sql.query<{ id: number; key: string }>(
    'SELECT issuance_id AS id, item_key AS key FROM report_claim WHERE issuance_id = ANY($1)',
    [surplus.map(({ issuanceId }) => issuanceId)],
  )
  const own = new Map(rows.map(({ id, key }) => [id, key]))
  return surplus.filter(({ issuanceId, key }) => own.has(issuanceId) && own.get(issuanceId) !== key)
}
