// After a complete reading of the report: rows that it did not show are decided, and those with the same answer are written together.

import type { UnshownRow } from '#src/ledger/absence.ts'
import type { Ledger } from '#src/ledger/ledger.ts'
import type { Log } from '#src/log/log.ts'
import type { Clock } from '#src/time/clock.ts'
import { coursePolicy } from './course-policy.ts'
import { decide, type Known } from './decide.ts'
import type { Decision } from './decision.ts'
import type { Policy } from './policy.ts'
import type { ScanResult } from './scan-report.ts'

interface Group {
  decision: Decision
  controlShown: boolean
  lastLookAt: Date | null
  ids: number[]
}

interface SettlingTools {
  ledger: Pick<Ledger, 'unshownRows' | 'probeOf' | 'noteLooks' | 'sendAgain' | 'holdRows'>
  log: Log
  clock: Clock
}

/** @returns how many rows go out again and how many are held */
export async function settleDoubts({ ledger, log, clock }: SettlingTools, scan: ScanResult, policy: Policy) {
  const settled = { again: 0, held: 0 }
  if (!scan.complete || !scan.tellsApart) return settled
  const groups = new Map<string, Group>()
  const policies = new Map<string, Policy>()
  for (const row of await ledger.unshownRows(scan.since)) {
    const own =
      policies.get(row.courseUuid) ?? coursePolicy(policy, (await ledger.probeOf(row.courseUuid))?.findings ?? null)
    policies.set(row.courseUuid, own)
    const controlShown = (scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt
    const news = { kind: 'not shown' as const, scanBegan: scan.startedAt, controlShown }
    const decision = decide(knownOf(row), news, clock.now(), own)
    // Rows with the same answer are written in one statement.
    const { lastLookAt } = row
    const name = JSON.stringify({ decision, controlShown, lastLookAt })
    const group = groups.get(name) ?? { decision, controlShown, lastLookAt, ids: [] }
    group.ids.push(row.id)
    groups.set(name, group)
  }
  for (const { decision, ids: judged, ...look } of groups.values()) {
    const ids = decision.countsAsLook ? await ledger.noteLooks(judged, scan, look) : judged
    if (ids.length === 0) continue
    const [step] = decision.steps
    if (step?.to === 'pending') {
      await ledger.sendAgain(ids, decision, scan)
      settled.again += ids.length
      log.event('issuance.again', { count: ids.length, outcome: decision.countsAsResend ? 'unknown' : 'refused' })
    } else if (step?.to === 'held') {
      const reason = step.reason ?? step.event
      await ledger.holdRows(ids, reason, scan)
      settled.held += ids.length
      log.event('issuance.held', { count: ids.length, reason })
    }
  }
  return settled
}

function knownOf({ looks, controlledLooks, lastLookAt, resends, ...row }: UnshownRow): Known {
  const { outcome, batchSize: size, overAt, deadlineAt, batchShown } = row
  const call = { outcome, size, overAt, deadlineAt, batchShown }
  return { state: 'unconfirmed', call, looks, controlledLooks, lastLookAt, resends }
}
