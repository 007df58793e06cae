// What the twin's sources were told, and should be told.

import type { ResultRow } from '#src/ledger/write-backs.ts'
import type { IssuanceRecord, RunRecord, RunRow } from './records.ts'
import { type Tables, write } from './tables.ts'

export function wantResults(tables: Tables, runId: string): void {
  const record = tables.runs.get(runId)
  if (!record) return
  if (record.writeBack) Object.assign(record.writeBack, { wanted: record.writeBack.wanted + 1, askedAt: null })
  else record.writeBack = { wanted: 1, told: 0, askedAt: null }
}

export function wantedVersion(tables: Tables, runId: string): number | null {
  const told = tables.runs.get(runId)?.writeBack
  return told && told.told < told.wanted ? told.wanted : null
}

export function noteTold(tables: Tables, runId: string, version: number): void {
  const told = tables.runs.get(runId)?.writeBack
  if (told) told.told = Math.max(told.told, version)
}

/** Runs with a row about one of these, whose results were wanted before, have news: one version more for all of it. */
export function wantResultsOf(tables: Tables, issuances: readonly IssuanceRecord[]): void {
  const runs = new Set<RunRecord>()
  for (const issuance of issuances) for (const run of issuance.namedBy) runs.add(run)
  for (const { writeBack } of runs)
    if (writeBack) write(tables, writeBack, { wanted: writeBack.wanted + 1, askedAt: null })
}

/** Read before the first batch is handed out, so that all rows are as of one instant. */
export async function readResultRows(
  tables: Tables,
  runId: string,
  only: readonly ResultRow['outcome'][],
  take: (rows: ResultRow[]) => Promise<void>,
): Promise<void> {
  const rows = tables.runs.get(runId)?.rows.filter((row) => only.includes(row.outcome)) ?? []
  const lines = rows.map(lineOf)
  for (let at = 0; at < lines.length; at += 1_000) await take(lines.slice(at, at + 1_000))
}

function lineOf({ row, outcome, cells, violations, skipReason, changedFields, issuance }: RunRow): ResultRow {
  return {
    row,
    outcome,
    cells,
    violations,
    skipReason,
    changedFields,
    issuanceId: issuance?.id ?? null,
    state: issuance?.state ?? null,
    reason: issuance?.reason ?? null,
    credentialId: issuance?.shown.credentialId ?? null,
    verifierLink: issuance?.shown.verifierLink ?? null,
    issueDate: issuance?.shown.issueDate ?? null,
    validTill: issuance?.shown.validTill ?? null,
  }
}
