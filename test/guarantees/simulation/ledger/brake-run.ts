// The twin's brake. The limit itself is in src/domain/credential/brake.ts.

import { checkSize, maxRecentRuns } from '#src/domain/credential/brake.ts'
import type { BrakeChecks } from '#src/ledger/runs/brake.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { publishedAt } from './compare-lists.ts'
import { noteFirstList } from './first-list.ts'
import type { CourseRecord, RunRecord } from './records.ts'
import { keyName, type Tables } from './tables.ts'

export function brakeRun(
  tables: Tables,
  record: RunRecord,
  { course, rows, limits = {}, shows }: BrakeChecks & { course: CourseRecord; rows: readonly StagedRow[] },
): { held: boolean; notices: string[] } {
  const keys = new Set(rows.flatMap((row) => (row.issuanceKey ? [keyName(course, row.issuanceKey)] : [])))
  const accepted = [...keys].filter((key) => !tables.byKey.has(key)).length
  const { because, usual, notice } = checkSize(
    limits,
    accepted,
    recentSizes(tables, record),
    acceptedToday(tables, record),
  )
  const shown = accepted > 0 ? shows : null
  const reasons = [because, shown].filter((each) => each !== null)
  if (reasons.length === 0) return { held: false, notices: notice ? [notice] : [] }
  record.staged = new Map()
  Object.assign(record.run, {
    state: 'braked',
    courseUuid: course.uuid,
    brake: { accepted, usual, because: reasons.join(' '), shown: shown !== null, adopted: false },
  })
  if (shown !== null) noteFirstList(course, { shows: shown })
  return { held: true, notices: [] }
}

function recentSizes(tables: Tables, { run: { pipeline } }: RunRecord): number[] {
  return [...tables.runs.values()]
    .filter(({ run }) => run.state === 'published' && run.pipeline === pipeline && run.accepted > 0)
    .sort((a, b) => publishedAt(b) - publishedAt(a))
    .slice(0, maxRecentRuns)
    .map(({ run }) => run.accepted)
}

function acceptedToday(tables: Tables, { run: { pipeline } }: RunRecord): number {
  const since = tables.now() - 24 * 3_600_000
  return [...tables.runs.values()]
    .filter(({ run }) => run.state === 'published' && run.pipeline === pipeline && run.approval === null)
    .filter((each) => publishedAt(each) > since)
    .reduce((sum, { run }) => sum + run.accepted, 0)
}
