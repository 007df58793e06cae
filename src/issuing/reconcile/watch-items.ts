// Processes report items of issued credentials: changes the state of revoked credentials, records new public links, and
// marks all credentials as seen. Writes to the database, and calls the service to look up single credentials.

import type { DayRange, WatchProgress } from '#src/ledger/report/watching.ts'
import { findCredential, type LookupTools } from './look-up-revocation.ts'
import { type ItemAsShown, readItem } from './read-report-item.ts'
import { applyPage, type ReportSource, type ScanTools } from './scan-report.ts'

export interface WatchTools extends Omit<ScanTools, 'issuer'> {
  issuer: ReportSource & LookupTools['issuer']
}

/** The counts of one pass of the watch. */
export interface WatchTally {
  pages: number
  items: number
  /** How many credentials changed to revoked. */
  revoked: number
}

/** The maximum number of credentials missing from a scan that are looked up by id, with one call each. */
export const maxSingleLookups = 200
const lookupPageSize = 10

/** @returns the keys of the items */
export async function applyReportChanges(
  tools: WatchTools,
  items: readonly ItemAsShown[],
  tally: WatchTally,
): Promise<string[]> {
  const { ledger } = tools
  tally.pages++
  tally.items += items.length
  const read = items.map((item) => {
    const { key, fingerprint } = readItem(item, ledger.hasher)
    return { item, key, fingerprint }
  })
  const keysOf = (rows: typeof read) => rows.flatMap(({ key, fingerprint }) => [key, fingerprint])
  const claims = await ledger.report.findClaims(keysOf(read.filter(({ item }) => item.revoked_date)))
  const unlinked = await ledger.watching.withoutLink(keysOf(read.filter(({ item }) => item.public_verifier_link)))
  const hasChanges = (key: string) => claims.has(key) || unlinked.has(key)
  const changed = read.filter(({ key, fingerprint }) => hasChanges(key) || hasChanges(fingerprint))
  if (changed.length > 0) {
    const shown = changed.map(({ item }) => item)
    tally.revoked += (await applyPage(tools, shown)).revoked
  }
  return read.flatMap(({ key, fingerprint }) => [key, fingerprint])
}

/** The order matters: after a crash between the two steps, the page is read again. */
export async function applyAndMarkSeen(
  tools: WatchTools,
  items: readonly ItemAsShown[],
  tally: WatchTally,
  position: WatchProgress | null = null,
): Promise<void> {
  const keys = await applyReportChanges(tools, items, tally)
  await tools.ledger.watching.noteSeen(keys, position)
}

/**
 * Looks up each credential that a complete scan did not show, because the report may have changed during the
 * scan. A credential that is still not shown is marked as missing, which does not change its state.
 * @param startedAt when the scan started, on the database's clock
 * @returns false, without any call, if there are too many such credentials
 */
export async function lookUpUnseen(
  tools: WatchTools,
  range: DayRange | null,
  startedAt: Date,
  tally: WatchTally,
): Promise<boolean> {
  const unseen = await tools.ledger.watching.unseen(range, startedAt, maxSingleLookups + 1)
  if (unseen.length > maxSingleLookups) return false
  await lookUpEach(tools, unseen, tally)
  return true
}

/**
 * Looks up all unseen credentials, however many there are. Used if pages repeated rows, and therefore missed others.
 */
export async function lookUpAllUnseen(tools: WatchTools, startedAt: Date, tally: WatchTally): Promise<void> {
  for (;;) {
    const unseen = await tools.ledger.watching.unseen(null, startedAt, maxSingleLookups)
    if (unseen.length === 0) return
    await lookUpEach(tools, unseen, tally)
  }
}

async function lookUpEach(
  tools: WatchTools,
  unseen: readonly { id: number; credentialId: string }[],
  tally: WatchTally,
): Promise<void> {
  for (const { id, credentialId } of unseen) {
    const items = await findCredential(tools.issuer, credentialId, lookupPageSize)
    await applyReportChanges(tools, items, tally)
    await tools.ledger.watching.noteLooked([id], items.length > 0)
  }
}

/** Marks all unseen credentials as missing, because the whole report was read and does not show them. */
export async function markUnseenMissing({ ledger }: WatchTools, startedAt: Date): Promise<void> {
  for (;;) {
    const unseen = await ledger.watching.unseen(null, startedAt, 1_000)
    if (unseen.length === 0) return
    await ledger.watching.noteLooked(
      unseen.map(({ id }) => id),
      false,
    )
  }
}
