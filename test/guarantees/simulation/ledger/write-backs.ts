// Which results of the twin's runs are to be reported to their sources, and which have been.

import type { ResultRow } from '#src/ledger/runs/write-backs.ts'
import type { IssuanceRecord, RunRecord, RunRow } from './records.ts'
import { type Tables, write } from './tables.ts'

export function wantResults(tables: Tables, runId: string): void {
  const record = tables.runs.get(runId)
  if (!record) return
  if (record.writeBack) Object.assign(record.writeBack, { wanted: record.writeBack.wanted + 1, askedAt: null })
  else record.writeBack = { wanted: 1, written: 0, askedAt: null }
}

export function wantedVersion(tables: Tables, runId: string): number | null {
  const writeBack = tables.runs.get(runId)?.writeBack
  return writeBack && writeBack.written < writeBack.wanted ? writeBack.wanted : null
}

export function noteReported(tables: Tables, runId: string, version: number): void {
  const writeBack = tables.runs.get(runId)?.writeBack
  if (writeBack) writeBack.written = Math.max(writeBack.written, version)
}

/** Requests new results for each run that contains one of these rows, if its results were requested before. */
export function requestResultsFor(tables: Tables, issuances: readonly IssuanceRecord[]): void {
  const runs = new Set<RunRecord>()
  for (const issuance of issuances) for (const run of issuance.namedBy) runs.add(run)
  for (const { writeBack } of runs)
    if (writeBack) write(tables, writeBack, { wanted: writeBack.wanted + 1, askedAt: null })
}

/** All rows are read before the first batch is passed on, so that they show the same moment. */
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

function lineOf({ row, outcome, cells, raw, violations, skipReason, changedFields, issuance }: RunRow): ResultRow {
  return {
    row,
    outcome,
    cells,
    raw,
    violations,
    skipReason,
    changedFields,
    issuanceId: issuance?.id ?? null,
    state: issuance?.state ?? null,
    reason: issuance?.reason ?? null,
    credentialId: issuance?.shown.credentialId ?? null,
    verifierLink: issuance?.shown.verifierLink ?? null,
    issueDate: issuance?.shown.issueDate ?? null,
    forgottenAt: null,
    validTill: issuance?.shown.validTill ?? null,
  }
}
