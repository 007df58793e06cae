// Plays scans of the report, and changes that no real scan would produce.

import { resolveUnconfirmed } from '#src/issuing/reconcile/resolve-unconfirmed.ts'
import { scanReport } from '#src/issuing/reconcile/scan-report.ts'
import type { ReportChanges } from '#src/ledger/report/apply-report.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { aPolicy, nothingShown } from '#test/support/domain-objects.ts'
import type { Command, OddClaim } from './ledger-commands.ts'
import { itemShown } from './people.ts'
import { courseAt, issuanceAt, issuanceRanks, runRanks } from './rank-lookup.ts'
import type { Side } from './side.ts'

type CommandOf<Name extends Command['do']> = Extract<Command, { do: Name }>

const minute = 60_000

/**
 * Scans as the reconcile job does, in pages of two, so that a scan has several pages; a `cut` report ends before it has
 * shown everything.
 */
export async function scan(side: Side, { items, settle, cut, resends, daysBack }: CommandOf<'scan'>) {
  const { ledger, clock } = side
  const graceMs = { unknown: 10 * minute, refused: 2 * minute }
  const policy = aPolicy({ graceMs, looks: 2, looksWithoutControl: 3, looksWithoutBatch: 3, resends })
  const shown = items.map(itemShown)
  async function* reportPages() {
    for (let at = 0; at === 0 || at < shown.length; at += 2) {
      const walk = at + 2 < shown.length ? ('more' as const) : cut ? ('cut' as const) : ('complete' as const)
      yield {
        items: shown.slice(at, at + 2),
        filteredRecords: new Set(shown.map((entry) => entry.entity_uuid)).size,
        walk,
      }
    }
  }
  const since = new Date(clock.now().getTime() - daysBack * 24 * 60 * minute).toISOString().slice(0, 10)
  const tools = { ledger, issuer: { reportPages }, log: silentLog, clock, pageSize: 2, policy }
  const reading = await scanReport(tools, since)
  const shownUpTo = [...reading.shownUpTo].map(([course, upTo]) => [course, upTo.getTime()])
  const settled = settle ? await resolveUnconfirmed(tools, reading, policy) : null
  return { complete: reading.complete, shownUpTo, settled, rested: runRanks(side, await ledger.runs.settle()) }
}

/** Changes that are stale, contradictory or against a rule: all are written, or all are refused. */
export async function apply(side: Side, { claims, upgrade, moves, shown, surplus }: CommandOf<'apply'>) {
  const keyAt = (key: number) => `entity-${key}-0`
  const claimOf = ({ which, key }: OddClaim) => ({
    issuanceId: issuanceAt(side, which),
    state: (['unconfirmed', 'requested', 'pending'] as const)[key % 3] ?? 'requested',
    key: keyAt(key),
    fingerprint: `fp-${key}`,
  })
  const changes: ReportChanges = {
    claims: claims.map(claimOf),
    upgrades: upgrade ? [{ from: keyAt(upgrade[0]), to: keyAt(upgrade[1]) }] : [],
    moves: moves.map(({ which, from, to, credential }) => ({
      ...{ id: issuanceAt(side, which, from), from, to, event: 'odd news', reason: 'odd', evidence: { odd: true } },
      fields: credential ? { ...nothingShown, credentialId: 'odd' } : null,
    })),
    shown: shown.map((entry) => issuanceAt(side, entry)),
    surplus: surplus.map(claimOf),
    certificateNames: moves.length === 3 ? [[courseAt(0), 'Odd welding']] : [],
  }
  const applied = await side.ledger.report.apply(changes)
  return { ...applied, surplus: issuanceRanks(side, applied.surplus) }
}
