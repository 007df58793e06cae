// An issued credential as a file, for the download endpoint and for the links of the report.

import { dayOf } from './calendar.ts'
import { issueTime, statusAt } from './credential-request.ts'
import type { WireAnswer } from './mischief/spoiled-answer.ts'
import { onePagePdf } from './pdf.ts'
import type { Premises } from './premises.ts'
import { Refusal } from './refusal.ts'
import { reportFields } from './report-fields.ts'

/** A PDF, the same for the same credential until it is revoked. `id` is an entity uuid or a credential id. @throws Refusal 404 unless it is issued */
export function credentialFile({ requests, settings, clock }: Premises, id: string): WireAnswer {
  const request = requests.find(id)
  if (!request || statusAt(request, settings.pace, clock.monotonicMs()) !== 3)
    throw new Refusal(404, 'Not found: there is no such credential.')
  const revokedAt = requests.revocation(request)?.dated ?? null
  const seen = { request, status: 3, issuedAt: issueTime(request, settings.pace), revokedAt }
  const till = reportFields.valid_till(seen)
  const body = onePagePdf([
    { text: 'Sandbox: no real credential', size: 12 },
    { text: request.course.name, size: 32, bold: true },
    { text: `awarded to ${reportFields.name(seen) ?? 'somebody without a name'}`, size: 24 },
    { text: `Credential ${request.fate.credentialId}`, size: 14 },
    { text: `Issued on ${dayOf(seen.issuedAt)}${till ? `, valid till ${till}` : ''}`, size: 14 },
    ...(revokedAt ? [{ text: `REVOKED on ${dayOf(revokedAt)}`, size: 24, bold: true }] : []),
  ])
  return { status: 200, contentType: 'application/pdf', body }
}
