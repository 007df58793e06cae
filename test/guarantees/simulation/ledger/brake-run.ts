// The brake of the twin. What is too large: src/issuance/brake.ts.

import { type BrakeLimits, judgeSize, mostRecent } from '#src/issuance/brake.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { publishedAt } from './compare-lists.ts'
import type { CourseRecord, RunRecord } from './records.ts'
import { keyName, type Tables } from './tables.ts'

export function brakeRun(
  tables: Tables,
  record: RunRecord,
  course: CourseRecord,
  rows: readonly StagedRow[],
  limits: BrakeLimits,
): { held: boolean; notices: string[] } {
  const keys = new Set(rows.flatMap((row) => (row.issuanceKey ? [keyName(course, row.issuanceKey)] : [])))
  const accepted = [...keys].filter((key) => !tables.byKey.has(key)).length
  const { because, usual, notice } = judgeSize(limits, accepted, recentSizes(tables, record))
  if (because === null) return { held: false, notices: notice ? [notice] : [] }
  record.staged = new Map()
  Object.assign(record.run, { state: 'braked', courseUuid: course.uuid, brake: { accepted, usual, because } })
  return { held: true, notices: [] }
}

function recentSizes(tables: Tables, { run: { pipeline } }: RunRecord): number[] {
  return [...tables.runs.values()]
    .filter(({ run }) => run.state === 'published' && run.pipeline === pipeline && run.accepted > 0)
    .sort((a, b) => publishedAt(b) - publishedAt(a))
    .slice(0, mostRecent)
    .map(({ run }) => run.accepted)
}
