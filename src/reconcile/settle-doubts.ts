// After a complete scan: rows that it did not show are decided, group by group.

import type { Ledger } from '#src/ledger/ledger.ts'
import type { Log } from '#src/log/log.ts'
import { decideAbsent, looksNeeded } from './decide-absent.ts'
import type { ScanResult } from './scan-report.ts'

export interface Graces {
  unknown: number
  refused: number
}

/** @returns how many rows go out again and how many are held */
export async function settleDoubts({ ledger, log }: { ledger: Ledger; log: Log }, scan: ScanResult, graceMs: Graces) {
  if (!scan.complete) return { again: 0, held: 0 }
  await ledger.countLooks(scan, graceMs)
  const again = new Map<string, { ids: number[]; cap: number | null; countsAsResend: boolean }>()
  const held = new Map<string, number[]>()
  for (const row of await ledger.doubtfulRows(looksNeeded)) {
    const step = decideAbsent(row)
    if (step.step === 'hold') held.set(step.reason, [...(held.get(step.reason) ?? []), row.id])
    if (step.step !== 'send again') continue
    const group = again.get(`${step.cap}`) ?? { ids: [], cap: step.cap, countsAsResend: step.countsAsResend }
    group.ids.push(row.id)
    again.set(`${step.cap}`, group)
  }
  for (const group of again.values()) await ledger.sendAgain(group.ids, group)
  for (const [reason, ids] of held) {
    await ledger.holdRows(ids, reason)
    log.event('issuance.held', { count: ids.length, reason })
  }
  const count = (groups: Iterable<number[]>) => [...groups].reduce((sum, ids) => sum + ids.length, 0)
  return { again: count([...again.values()].map((group) => group.ids)), held: count(held.values()) }
}
