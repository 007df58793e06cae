// Looks up one revocation in the credential report, with one call that searches for the credential's id, and decides
// when to read the report next. The credential's row is updated by the same rules as in a full scan. Calls the service
// and writes to the database.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { Revocation } from '#src/ledger/revocations/revocation.ts'
import { afterLookup, type CredentialInReport } from './decide-revocation.ts'
import type { ItemAsShown } from './read-report-item.ts'
import { applyPage, type ScanTools } from './scan-report.ts'

export interface LookupTools extends Omit<ScanTools, 'issuer'> {
  issuer: {
    reportPage(query: { search: Record<string, unknown>; recordsPerPage: number }): Promise<{ items: ItemAsShown[] }>
  }
  cadence: Cadence
}

/** @throws any error from reading the report; nothing has been changed in that case */
export async function lookUpRevocation(tools: LookupTools, revocation: Revocation): Promise<CredentialInReport> {
  const { ledger, issuer, log } = tools
  const { id, credentialId, issuanceId, overAt, readAt } = revocation
  const items = await findCredential(issuer, credentialId, tools.pageSize)
  if (issuanceId !== null && items.length > 0) await applyPage(tools, items)
  const shown = items.length === 0 ? 'nothing' : items.some((item) => item.revoked_date) ? 'revoked' : 'valid'
  const { to, doubt } = afterLookup(revocation, shown, tools.policy.graceMs.unknown)
  const ageMs = overAt ? Math.max(0, readAt.getTime() - overAt.getTime()) : 0
  await ledger.revocations.noteCheck(id, { to, doubt, waitMs: nextReadDelayMs(ageMs, tools.cadence) })
  log.event('revocation.looked', { revocation: id, outcome: shown })
  return shown
}

/**
 * Returns the items of exactly this credential. It is not documented how the service compares the search key, or
 * whether it applies the key, so the items are compared here.
 */
export async function findCredential(
  issuer: LookupTools['issuer'],
  credentialId: string,
  pageSize: number,
): Promise<ItemAsShown[]> {
  const search = { credential_id: credentialId, issued_status_id: allStatusIds }
  const { items } = await issuer.reportPage({ search, recordsPerPage: pageSize })
  return items.filter((item) => item.credential_id === credentialId)
}

export interface Cadence {
  /** The shortest wait between two scans, in milliseconds. */
  everyMs: number
  /** The longest wait between two scans, in milliseconds. */
  slowestMs: number
}

/**
 * Returns how many milliseconds to wait before the report is read again: a tenth of the time since the last change,
 * within the limits of `cadence`, so that it is read often at first. Anything that is sent in the meantime makes the
 * next scan due within the shortest wait. Pure.
 * @param ageMs how long ago the last change was: the last change of any open row, or of the revocation; null if nothing
 * is open
 * @param tookMs how long the last scan took; the wait is at least half that long
 */
export function nextReadDelayMs(ageMs: number | null, cadence: Cadence, tookMs = 0): number {
  if (ageMs === null) return cadence.slowestMs
  return Math.min(cadence.slowestMs, Math.max(cadence.everyMs, ageMs / 10, tookMs / 2))
}
