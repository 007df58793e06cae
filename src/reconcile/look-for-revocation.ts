// Looks for one revocation in the credential report: one call, by the credential's id. What the ledger knows of the credential moves on by
// the same rules as in a full reading.

import { allStatusIds } from '#src/issuance/report-status.ts'
import type { Revocation } from '#src/ledger/revocation.ts'
import { type Cadence, nextLookMs } from './cadence.ts'
import { type ShownCredential, whenLooked } from './decide-revocation.ts'
import type { ReportItemShown } from './read-item.ts'
import { type ScanTools, takePage } from './scan-report.ts'

export interface LookingTools extends Omit<ScanTools, 'issuer'> {
  issuer: {
    reportPage(query: {
      search: Record<string, unknown>
      spelling: 'both'
      recordsPerPage: number
    }): Promise<{ items: ReportItemShown[] }>
  }
  cadence: Cadence
}

/** @throws what reading the report throws; nothing is concluded then */
export async function lookForRevocation(tools: LookingTools, revocation: Revocation): Promise<ShownCredential> {
  const { ledger, issuer, log } = tools
  const { id, credentialId, issuanceId, overAt, readAt } = revocation
  const items = await findCredential(issuer, credentialId, tools.pageSize)
  if (issuanceId !== null && items.length > 0) await takePage(tools, items)
  const shown = items.length === 0 ? 'nothing' : items.some((item) => item.revoked_date) ? 'revoked' : 'valid'
  const { to, doubt } = whenLooked(revocation, shown, tools.policy.graceMs.unknown)
  const ageMs = overAt ? Math.max(0, readAt.getTime() - overAt.getTime()) : 0
  await ledger.revocations.noteLook(id, { to, doubt, waitMs: nextLookMs(ageMs, tools.cadence) })
  log.event('revocation.looked', { revocation: id, outcome: shown })
  return shown
}

/** The items of exactly this credential. How the service compares the key, and whether it heeds it, is not documented: so it is compared here. */
export async function findCredential(
  issuer: LookingTools['issuer'],
  credentialId: string,
  pageSize: number,
): Promise<ReportItemShown[]> {
  const search = { credential_id: credentialId, issued_status_id: allStatusIds }
  const { items } = await issuer.reportPage({ search, spelling: 'both', recordsPerPage: pageSize })
  return items.filter((item) => item.credential_id === credentialId)
}
