// Moves issuances to the states that follow from the report or from an adoption. Writes to the database within the
// caller's transaction.

import type { State } from '#src/domain/credential/state.ts'
import type { Sql } from '#src/platform/database/database.ts'
import { eachOf } from '#src/platform/database/index-lookups.ts'
import type { ReportFields } from './report-items.ts'

export interface Move {
  id: number
  from: State
  /** Equal to `from` if only the report's fields changed. */
  to: State
  event: string
  reason: string | null
  evidence: object
  fields: ReportFields | null
}

/**
 * Carries out moves in order. Several moves of one issuance are consecutive steps.
 * @returns the ids of the issuances whose state or fields were updated
 */
export async function moveIssuances(sql: Sql, moves: readonly Move[]): Promise<Set<number>> {
  const moved = new Set<number>()
  for (const round of roundsOf(moves)) {
    const { rows } = await sql.query<{ id: number }>(
      `UPDATE issuance i SET state = m.to_state, event = m.event, reason = CASE WHEN m.from_state = m.to_state THEN i.reason ELSE m.reason END, evidence = m.evidence,
         report_status = coalesce(m.fields->>'reportStatus', i.report_status), entity_uuid = coalesce(m.fields->>'entityUuid', i.entity_uuid),
         credential_id = coalesce(m.fields->>'credentialId', i.credential_id), verifier_link = coalesce(m.fields->>'verifierLink', i.verifier_link),
         issue_date = coalesce(m.fields->>'issueDate', i.issue_date), valid_till = coalesce(m.fields->>'validTill', i.valid_till),
         revoked_date = coalesce(m.fields->>'revokedDate', i.revoked_date),
         report_seen_at = CASE WHEN jsonb_typeof(m.fields) = 'object' THEN clock_timestamp() ELSE i.report_seen_at END
       FROM jsonb_to_recordset($1::jsonb) AS m(id bigint, from_state text, to_state text, event text, reason text, evidence jsonb, fields jsonb)
       WHERE i.id = m.id AND i.id = ${eachOf('$2')} AND i.state = m.from_state RETURNING i.id`,
      [
        JSON.stringify(round.map((move) => ({ ...move, from_state: move.from, to_state: move.to }))),
        round.map((move) => move.id),
      ],
    )
    for (const row of rows) moved.add(row.id)
  }
  return moved
}

/** Puts the n-th step of every issuance into the n-th round, because a statement can update a row only once. Pure. */
function roundsOf(moves: readonly Move[]): Move[][] {
  const rounds: Move[][] = []
  const stepsSoFar = new Map<number, number>()
  for (const move of joinReportSteps(moves)) {
    const round = stepsSoFar.get(move.id) ?? 0
    stepsSoFar.set(move.id, round + 1)
    const existing = rounds[round]
    if (existing) existing.push(move)
    else rounds[round] = [move]
  }
  return rounds
}

/**
 * Joins the two steps of a row that the report shows as done when it first shows it. A trigger recognizes the pair and
 * records two steps (src/ledger/migrations/0003-issuances.sql). Pure.
 */
function joinReportSteps(moves: readonly Move[]): Move[] {
  const joined: Move[] = []
  for (const move of moves) {
    const last = joined.at(-1)
    const follows = last?.id === move.id && last.to === move.from && last.fields === move.fields
    const isPair = last?.from === 'requested' && move.from === 'in_progress' && decidedByReport.includes(move.to)
    if (follows && isPair && last.event === 'report' && move.event === 'report')
      joined[joined.length - 1] = { ...move, from: last.from }
    else joined.push(move)
  }
  return joined
}

const decidedByReport: readonly State[] = ['issued', 'rejected', 'failed']
