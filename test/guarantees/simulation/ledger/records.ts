// The twin's records, which mirror the tables of the real ledger. Times are milliseconds since 1970 with a fraction,
// because the database's clock counts microseconds. Auditors read these records; only the twin's verbs write them.

import type { State } from '#src/domain/credential/state.ts'
import type { AttemptEnd } from '#src/ledger/attempts/outcomes.ts'
import type { ReportFields } from '#src/ledger/report/report-items.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'

export interface CourseRecord {
  readonly uuid: string
  certificateName: string | null
  batchLimit: number | null
  pausedUntil: number
  pauseReason: string | null
  canarySince: number
  /** Whether the report showed the course before its first list; null if that was not checked. */
  firstList: { state: 'clear' | 'shown' | 'approved'; shows: string | null } | null
  /** A call sent since `canarySince` was accepted. */
  trusted: boolean
  /** Calls sent since then, in the order in which they ended, without calls whose worker died. */
  calls: { outcome: AttemptEnd['class']; sendingAt: number; endedAt: number }[]
  pausedSince: number
  pausedAfterTrouble: boolean
  /** Consecutive pauses after failed calls. */
  troubleLevel: number
  /** Attempts that are prepared or sending. */
  openAttempts: number
}

export interface HistoryRecord {
  readonly at: Date
  readonly event: string
  readonly from: State | null
  readonly to: State | null
  readonly attempt: number | null
  readonly evidence: object | null
}

export interface IssuanceRecord {
  readonly id: number
  readonly course: CourseRecord
  readonly run: RunRecord
  readonly row: number
  readonly pipeline: string
  readonly recipient: Record<string, string> | null
  /** In hex. */
  readonly matchHashes: string[]
  readonly lane: Lane
  state: State
  stateSince: number
  event: string
  evidence: object | null
  attempt: AttemptRecord | null
  reason: string | null
  /** Infinity while an attempt contains the row. */
  dueAt: number
  firstSentAt: number | null
  lastSentAt: number | null
  resends: number
  batchCap: number | null
  looks: number
  controlledLooks: number
  lastLookAt: number | null
  /** Replaced as a whole when something changes. */
  shown: ReportFields
  decidedAt: number | null
  surplusItems: number
  claim: ClaimRecord | null
  /** Its position in every attempt that ever contained it. */
  readonly items: ItemRecord[]
  readonly history: HistoryRecord[]
  /** Runs with a row for it: the one that created it, and those that named it again. */
  readonly namedBy: Set<RunRecord>
  /** Its entry among the due rows; any other entry is out of date. */
  slot: Slot | null
}

/** Pending rows of one pipeline and course, the first due at the top. */
export interface Lane {
  readonly pipeline: string
  readonly course: CourseRecord
  readonly heap: Slot[]
}

export interface Slot {
  readonly dueAt: number
  readonly issuance: IssuanceRecord
}

export interface AttemptRecord {
  readonly id: number
  readonly course: CourseRecord
  readonly pipeline: string
  readonly size: number
  readonly items: ItemRecord[]
  phase: 'prepared' | 'sending' | 'ended' | 'dropped'
  askedAt: number | null
  sendingAt: number | null
  deadlineAt: number | null
  endedAt: number | null
  /** The report has shown one of its rows. */
  shown: boolean
  outcome: AttemptEnd['class'] | null
  status: number | null
  code: string | null
  words: string | null
  requestSha256: string | null
  instance: string | null
}

export interface ItemRecord {
  readonly attempt: AttemptRecord
  readonly issuance: IssuanceRecord
  open: boolean
}

export interface ClaimRecord {
  key: string
  readonly fingerprint: string
  readonly issuance: IssuanceRecord
}

export interface RunRow
  extends Pick<ResultRow, 'row' | 'outcome' | 'cells' | 'raw' | 'violations' | 'skipReason' | 'changedFields'> {
  readonly issuance: IssuanceRecord | null
}

export interface RunRecord {
  /** As the ledger returns it, but with the times below. */
  readonly run: Run
  askedAt: number | null
  missedAt: number | null
  staged: Map<number, StagedRow>
  rows: RunRow[]
  /** Number of its issuances in each state. */
  readonly states: Record<State, number>
  surplus: number
  writeBack: { wanted: number; written: number; askedAt: number | null } | null
}

export interface ScanRecord {
  readonly id: number
  readonly since: string
  readonly startedAt: number
  endedAt: number | null
  complete: boolean
}
