// Intake in the twin: rows are staged while they are read, then published together. conflicts.ts and
// refuse-duplicate-people.ts decide which of them are refused.

import type { Publication, StagedRow } from '#src/ledger/runs/intake.ts'
import { nothingShown } from '#test/support/domain-objects.ts'
import { brakeRun } from './brake-run.ts'
import { writeHistory } from './change-issuance.ts'
import { differenceOf } from './compare-lists.ts'
import { refuseIdentityConflicts } from './conflicts.ts'
import { ConstraintError } from './constraint-error.ts'
import { placeDue } from './due-rows.ts'
import { firstListHold, noteFirstList } from './first-list.ts'
import type { CourseRecord, IssuanceRecord, RunRecord, RunRow } from './records.ts'
import { refuseKnownTwice, refuseOtherIdentity } from './refuse-duplicate-people.ts'
import { courseOf, keyName, laneOf, type Tables } from './tables.ts'

export function clearStaged(tables: Tables, runId: string): void {
  const record = tables.runs.get(runId)
  if (!record) return
  record.staged.clear()
  if (record.run.state === 'received') record.run.readRows = 0
}

export function stageRows(tables: Tables, runId: string, rows: readonly StagedRow[]): void {
  if (rows.length === 0) return
  const record = tables.runs.get(runId)
  if (record?.run.state !== 'received')
    throw new Error(`There is no run ${runId} waiting to be read; nothing was staged.`)
  const numbers = new Set(rows.map((row) => row.row))
  if (numbers.size < rows.length || rows.some((row) => record.staged.has(row.row)))
    throw new ConstraintError('23505', `the run ${runId} has staged one of these rows already`)
  for (const row of rows) record.staged.set(row.row, row)
  record.run.readRows += rows.length
}

/** @throws Error with the real ledger's message if fewer rows are staged than were read */
export function publishRun(tables: Tables, runId: string, publication: Publication, rowsRead: number): boolean {
  const record = tables.runs.get(runId)
  if (record?.run.state !== 'received') return false
  if (record.staged.size !== rowsRead)
    throw new Error(`Run ${runId} read ${rowsRead} rows but staged ${record.staged.size}; it will be read again.`)
  const at = tables.now()
  const course = courseOf(tables, publication.courseUuid)
  const staged = [...record.staged.values()].sort((a, b) => a.row - b.row)
  const { primaryVaries, identified } = publication
  const once = primaryVaries ? refuseKnownTwice(tables, course, staged, primaryVaries) : staged
  const checked = refuseIdentityConflicts(identified ? refuseOtherIdentity(tables, course, once, identified) : once)
  const shows = firstListHold(course, publication.firstList)
  const limits = record.run.approval ? undefined : publication.brake
  const brakeResult =
    limits || shows !== null ? brakeRun(tables, record, { course, rows: checked, limits, shows }) : null
  if (brakeResult?.held) return false
  if (publication.firstList) noteFirstList(course, { shows })
  for (const row of checked) insertIssuance(tables, record, course, row, at)
  record.rows = checked.map((row) => runRowOf(tables, record, course, row))
  record.staged = new Map()
  const count = (outcome: RunRow['outcome']) => record.rows.filter((row) => row.outcome === outcome).length
  Object.assign(record.run, {
    state: 'published',
    publishedAt: new Date(at),
    courseUuid: publication.courseUuid,
    format: publication.format,
    separator: publication.separator ?? null,
    header: [...publication.header],
    notices: [...publication.notices, ...(brakeResult?.notices ?? [])],
    rows: record.rows.length,
    invalid: count('invalid'),
    skipped: count('skipped'),
    accepted: count('accepted'),
    ...diffOf(record.rows),
  })
  const held = Object.values(record.states).reduce((sum, each) => sum + each, 0)
  if (held !== record.run.accepted)
    throw new ConstraintError('23000', `run ${runId} says ${record.run.accepted} accepted, the ledger holds ${held}`)
  return true
}

/** The first row with a new key becomes an issuance. */
function insertIssuance(tables: Tables, of: RunRecord, course: CourseRecord, row: StagedRow, at: number): void {
  if (row.violations || !row.issuanceKey) return
  const key = keyName(course, row.issuanceKey)
  if (tables.byKey.has(key)) return
  const { run } = of
  const issuance: IssuanceRecord = {
    ...nothingSent(at),
    id: tables.issuances.length + 1,
    course,
    run: of,
    row: row.row,
    pipeline: run.pipeline,
    recipient: row.recipient,
    matchHashes: [...new Set(row.matchHashes?.slice(0, 2).map((hash) => hash.toString('hex')))],
    lane: laneOf(tables, run.pipeline, course),
    evidence: { source: run.sourceName, row: row.row, run: run.id },
    namedBy: new Set(),
  }
  tables.issuances.push(issuance)
  tables.byKey.set(key, issuance)
  for (const hash of issuance.matchHashes) {
    const same = tables.byMatch.get(hash)
    if (same) same.push(issuance)
    else tables.byMatch.set(hash, [issuance])
  }
  tables.inState.pending.add(issuance)
  of.states.pending++
  placeDue(issuance)
  writeHistory(issuance, null, at)
}

function nothingSent(at: number) {
  return {
    state: 'pending' as const,
    stateSince: at,
    event: 'accepted',
    attempt: null,
    reason: null,
    dueAt: at,
    firstSentAt: null,
    lastSentAt: null,
    resends: 0,
    batchCap: null,
    looks: 0,
    controlledLooks: 0,
    lastLookAt: null,
    shown: nothingShown,
    decidedAt: null,
    surplusItems: 0,
    claim: null,
    items: [],
    history: [],
    slot: null,
  }
}

function runRowOf(tables: Tables, of: RunRecord, course: CourseRecord, row: StagedRow): RunRow {
  const cells = [...row.cells]
  const raw = row.raw === undefined ? null : (JSON.parse(row.raw) as RunRow['raw'])
  const issuance = row.violations || !row.issuanceKey ? null : tables.byKey.get(keyName(course, row.issuanceKey))
  if (!issuance) {
    const violations = row.violations as RunRow['violations']
    const nothing = { skipReason: null, changedFields: null, issuance: null }
    if (violations?.[0]?.rule === 'where') {
      const common = { row: row.row, cells, raw, ...nothing, violations: null }
      return { ...common, outcome: 'skipped', skipReason: violations[0].sentence }
    }
    return { row: row.row, outcome: 'invalid', cells, raw, violations, ...nothing }
  }
  issuance.namedBy.add(of)
  const common = { row: row.row, cells, raw, violations: null, issuance }
  if (issuance.run === of && issuance.row === row.row)
    return { ...common, outcome: 'accepted', skipReason: null, changedFields: null }
  return { ...common, outcome: 'skipped', ...differenceOf(of, issuance, row.recipient) }
}

function diffOf(rows: readonly RunRow[]): { known: number; changed: number; notMeant: number } {
  const skipped = rows.filter((row) => row.outcome === 'skipped')
  const changed = skipped.filter((row) => row.changedFields).length
  const notMeant = skipped.filter((row) => row.issuance === null).length
  return { changed, known: skipped.length - changed - notMeant, notMeant }
}
