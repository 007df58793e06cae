// A row of the ledger becomes a line of a results file or of an invalid-rows file. Pure.

import type { ResultRow } from '#src/ledger/write-backs.ts'
import { findOurColumns, freeNames, mendColumn, outcomeColumns, problemColumns } from '#src/sources/our-columns.ts'
import { markOf } from './mend-mark.ts'

/** The source's own columns first, in their order; a column of ours gives way to one of the same name. */
export function resultHeader(source: readonly string[]): string[] {
  return [...source, ...freeNames(source, outcomeColumns)]
}

/** What we put into a file that was mended and came back is put anew, and not a second time. */
export function invalidHeader(source: readonly string[]): string[] {
  const theirs = withoutOurs(source, source)
  return [...freeNames(theirs, problemColumns), ...theirs, ...freeNames(theirs, [mendColumn])]
}

/** @param source the header of the source */
export function resultLine(row: ResultRow, source: readonly string[]): string[] {
  const issued = [row.credentialId, row.verifierLink, row.issueDate, row.validTill].map((value) => value ?? '')
  return [
    ...padded(row.cells, source.length),
    statusOf(row),
    ...(wasIssued(row) && !row.changedFields ? issued : issued.map(() => '')),
    reasonOf(row),
  ]
}

/** @param source the header of the source */
export function invalidLine(row: ResultRow, source: readonly string[]): string[] {
  const violations = row.violations ?? []
  const each = (pick: (violation: (typeof violations)[number]) => string, between: string) =>
    [...new Set(violations.map(pick))].filter(Boolean).join(between)
  return [
    String(row.row),
    each((v) => (v.letters ? `${v.column} (${v.letters})` : v.column), '; '),
    each((v) => v.rule, '; '),
    each((v) => v.sentence, ' '),
    ...withoutOurs(source, padded(row.cells, source.length)),
    markOf(row, source),
  ]
}

/** Of a row that is held, say, the report may show a credential that is somebody else's: a source is told of none before it is issued. */
function wasIssued(row: ResultRow): boolean {
  return row.state === 'issued' || row.state === 'revoked'
}

/**
 * A skipped row tells the state of the credential that is already known, so that its owner need not look for it. One with other data tells nothing
 * of it: it may be somebody else's.
 */
function statusOf(row: ResultRow): string {
  if (row.outcome === 'invalid') return 'invalid'
  if (row.changedFields) return 'changed'
  return row.outcome === 'skipped' ? 'skipped' : (row.state ?? '')
}

function reasonOf(row: ResultRow): string {
  if (row.outcome === 'invalid') return (row.violations ?? []).map((violation) => violation.sentence).join(' ')
  if (row.changedFields) return row.skipReason ?? ''
  if (row.outcome === 'skipped') return `${row.skipReason ?? 'already known'}; it is ${row.state}`
  return row.reason ?? ''
}

/** Exactly as wide as the header, so that our columns stand under their names also beside a ragged row. */
function padded(cells: readonly string[], width: number): string[] {
  return Array.from({ length: width }, (_, index) => cells[index] ?? '')
}

/** `cells` that stand under the columns of `source` which are not ours. */
function withoutOurs(source: readonly string[], cells: readonly string[]): string[] {
  const { all } = findOurColumns(source)
  return cells.filter((_, index) => !all.has(index))
}
