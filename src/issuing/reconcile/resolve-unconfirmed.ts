// Decides what happens to the rows that a complete scan of the report did not show, and writes rows with the same
// decision together. Reads and writes the database.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { UnshownRow } from '#src/ledger/report/absence.ts'
import type { Log } from '#src/platform/log/log.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { decide, type KnownToLedger } from './decide-row.ts'
import type { Decision } from './decision.ts'
import { coursePolicy, type Policy } from './policy.ts'
import type { ScanResult } from './scan-report.ts'

interface Group {
  decision: Decision
  controlShown: boolean
  lastLookAt: Date | null
  ids: number[]
}

interface ResolvingTools {
  ledger: Pick<Ledger, 'absence'> & { probes: Pick<Ledger['probes'], 'find'> }
  log: Log
  clock: Clock
}

/** @returns how many rows will be sent again and how many are held */
export async function resolveUnconfirmed({ ledger, log, clock }: ResolvingTools, scan: ScanResult, policy: Policy) {
  const counts = { resent: 0, held: 0 }
  if (!scan.complete || !scan.distinguishable) return counts
  const groups = new Map<string, Group>()
  const policies = new Map<string, Policy>()
  for (const row of await ledger.absence.unshownRows(scan.since)) {
    const rowPolicy =
      policies.get(row.courseUuid) ?? coursePolicy(policy, (await ledger.probes.find(row.courseUuid))?.findings ?? null)
    policies.set(row.courseUuid, rowPolicy)
    const controlShown = (scan.shownUpTo.get(row.courseUuid) ?? 0) > row.endedAt
    const observed = { kind: 'not shown' as const, scanStartedAt: scan.startedAt, controlShown }
    const decision = decide(knownOf(row), observed, clock.now(), rowPolicy)
    // Rows with the same decision are grouped and written in one statement.
    const { lastLookAt } = row
    const groupKey = JSON.stringify({ decision, controlShown, lastLookAt })
    const group = groups.get(groupKey) ?? { decision, controlShown, lastLookAt, ids: [] }
    group.ids.push(row.id)
    groups.set(groupKey, group)
  }
  for (const { decision, ids: decided, ...look } of groups.values()) {
    const ids = decision.countsAsLook ? await ledger.absence.noteLooks(decided, scan, look) : decided
    if (ids.length === 0) continue
    const [step] = decision.steps
    if (step?.to === 'pending') {
      await ledger.absence.sendAgain(ids, decision, scan)
      counts.resent += ids.length
      log.event('issuance.again', { count: ids.length, outcome: decision.countsAsResend ? 'unknown' : 'refused' })
    } else if (step?.to === 'held') {
      const reason = step.reason ?? step.event
      await ledger.absence.hold(ids, reason, scan)
      counts.held += ids.length
      log.event('issuance.held', { count: ids.length, reason })
    }
  }
  return counts
}

function knownOf({ looks, controlledLooks, lastLookAt, resends, ...row }: UnshownRow): KnownToLedger {
  const { outcome, batchSize: size, overAt, deadlineAt, batchShown } = row
  const call = { outcome, size, overAt, deadlineAt, batchShown }
  return { state: 'unconfirmed', call, looks, controlledLooks, lastLookAt, resends }
}
