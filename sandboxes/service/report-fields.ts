// The fields of the credential report, each as a function of one request at a given time. Pure.

import { hash } from 'node:crypto'
import { addMonths, dayOf } from './calendar.ts'
import { type CredentialRequest, sandboxStatusLabels, studentText } from './credential-request.ts'

/**
 * A request at the time of a report call. `issuedAt` is null unless the credential is issued; both dates are on the
 * simulated clock of the service.
 */
export interface Seen {
  request: CredentialRequest
  status: number
  issuedAt: Date | null
  revokedAt: Date | null
  hasPublicLink: boolean
}

export interface Links {
  certificate(entityUuid: string): string
  verifier(credentialId: string): string
}

type Reading = (seen: Seen, links: Links) => string | null

const unset: Reading = () => null
const student =
  (displayName: string): Reading =>
  ({ request }) =>
    studentText(request, displayName)

function fullName({ request }: Seen): string | null {
  const parts = [studentText(request, 'First Name'), lastName(request)]
  return parts.filter((part) => part !== null).join(' ') || null
}

function lastName(request: CredentialRequest): string | null {
  return request.outcome.strangeName ?? studentText(request, 'Last Name')
}

function validTill({ request, issuedAt }: Seen): string | null {
  const months = request.course.validMonths
  return issuedAt && months !== null ? dayOf(addMonths(issuedAt, months)) : null
}

/** Every documented field of a report item, in the documented order. */
export const reportFields = {
  name: fullName,
  fname: student('First Name'),
  lname: ({ request }) => lastName(request),
  email_: student('Email'),
  contact_number: student('Contact Number'),
  batch_name: unset,
  certificate_name: ({ request }) => request.course.name,
  issued_status: ({ status }) => sandboxStatusLabels[status] ?? null,
  issue_date: ({ issuedAt }) => issuedAt && dayOf(issuedAt),
  valid_till: validTill,
  revoked_date: ({ revokedAt }) => revokedAt && dayOf(revokedAt),
  request_date: ({ request }) => request.requestDate,
  target_hash: ({ request, issuedAt }) => issuedAt && hash('sha256', request.outcome.entityUuid),
  // This is the only field that is an empty string instead of null if it has no value.
  certificate_path: ({ request, issuedAt }, links) => (issuedAt ? links.certificate(request.outcome.entityUuid) : ''),
  entity_uuid: ({ request }) => request.outcome.entityUuid,
  credential_id: ({ request, issuedAt }) => issuedAt && request.outcome.credentialId,
  reg_no: student('Register Number'),
  uid: unset,
  cert_no: unset,
  unique_no: unset,
  public_verifier_link: ({ request, issuedAt, hasPublicLink }, links) =>
    issuedAt && hasPublicLink ? links.verifier(request.outcome.credentialId) : null,
  membership_id: unset,
} as const satisfies Record<string, Reading>

export type ReportField = keyof typeof reportFields
export const reportFieldNames = Object.keys(reportFields) as ReportField[]

export function reportItem(seen: Seen, links: Links): Record<ReportField, string | null> {
  const item = {} as Record<ReportField, string | null>
  for (const field of reportFieldNames) item[field] = reportFields[field](seen, links)
  return item
}
