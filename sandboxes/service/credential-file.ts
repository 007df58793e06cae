// Makes the file of an issued credential. Reads the requests.

import { dayOf } from './calendar.ts'
import { issueTime, statusAt } from './credential-request.ts'
import type { WireResponse } from './faults/faulty-response.ts'
import { onePagePdf } from './pdf.ts'
import { SandboxRefusal } from './refusal.ts'
import { reportFields } from './report-fields.ts'
import type { RouteContext } from './route-context.ts'

/**
 * Returns a PDF, which stays the same for a credential until it is revoked.
 * @param id an entity uuid or a credential id
 * @throws SandboxRefusal 404 unless it is issued
 */
export function credentialFile({ requests, settings, clock }: RouteContext, id: string): WireResponse {
  const request = requests.find(id)
  if (!request || statusAt(request, settings.pace, clock.monotonicMs()) !== 3)
    throw new SandboxRefusal(404, 'Not found: there is no such credential.')
  const revokedAt = requests.revocation(request)?.dated ?? null
  const seen = { request, status: 3, issuedAt: issueTime(request, settings.pace), revokedAt, hasPublicLink: false }
  const till = reportFields.valid_till(seen)
  const body = onePagePdf([
    { text: 'Sandbox: no real credential', size: 12 },
    { text: request.course.name, size: 32, bold: true },
    { text: `awarded to ${reportFields.name(seen) ?? 'somebody without a name'}`, size: 24 },
    { text: `Credential ${request.outcome.credentialId}`, size: 14 },
    { text: `Issued on ${dayOf(seen.issuedAt)}${till ? `, valid till ${till}` : ''}`, size: 14 },
    ...(revokedAt ? [{ text: `REVOKED on ${dayOf(revokedAt)}`, size: 24, bold: true }] : []),
  ])
  return { status: 200, contentType: 'application/pdf', body }
}
