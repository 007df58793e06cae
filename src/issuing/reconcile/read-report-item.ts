// Converts a report item into data that the ledger can match and store. Pure: the key for the hashes is passed in.

import { createHash } from 'node:crypto'
import type { Hasher, MatchKind } from '#src/domain/credential/identity-hasher.ts'
import { type ReportReading, readReportStatus } from '#src/domain/credential/report-status.ts'
import type { State } from '#src/domain/credential/state.ts'
import { calendarDate } from '#src/domain/recipient/calendar-date.ts'
import type { ReportFields } from '#src/ledger/report/report-items.ts'
import type { PersonInReport } from './compare-person.ts'
import type { MatchItem } from './match-items.ts'

/** The values that are used of the service's "Credential report item". Unset values are null. */
export interface ItemAsShown {
  fname: string | null
  lname: string | null
  email_: string | null
  contact_number: string | null
  certificate_name: string | null
  issued_status: string | null
  issue_date: string | null
  valid_till: string | null
  revoked_date: string | null
  request_date: string | null
  entity_uuid: string | null
  credential_id: string | null
  reg_no: string | null
  uid: string | null
  cert_no: string | null
  unique_no: string | null
  membership_id: string | null
  public_verifier_link: string | null
}

export interface SeenItem extends MatchItem {
  person: PersonInReport
  reading: ReportReading
  fields: ReportFields
}

const correlations: readonly (keyof ItemAsShown & MatchKind)[] = [
  'reg_no',
  'uid',
  'unique_no',
  'cert_no',
  'membership_id',
]

export function readItem(item: ItemAsShown, hasher: Hasher): Omit<SeenItem, 'firstSeenAt'> {
  const fingerprint = fingerprintOf(item, hasher)
  return {
    key: item.entity_uuid || fingerprint,
    fingerprint,
    hashes: hashesOf(item, hasher),
    requestDate: readDay(item.request_date),
    certificateName: item.certificate_name || null,
    person: { firstName: item.fname, lastName: item.lname, email: item.email_, contactNumber: item.contact_number },
    reading: trustedReading(item),
    fields: {
      reportStatus: item.issued_status,
      entityUuid: item.entity_uuid || null,
      credentialId: item.credential_id || null,
      verifierLink: item.public_verifier_link || null,
      issueDate: item.issue_date,
      validTill: item.valid_till,
      revokedDate: item.revoked_date,
    },
  }
}

/**
 * An issued or revoked item without a credential_id counts as in progress, because it does not identify the credential.
 */
function trustedReading(item: ItemAsShown): ReportReading {
  const reading = readReportStatus(item.issued_status, item.revoked_date)
  const needsCredential: State[] = ['issued', 'revoked']
  if (reading.kind === 'state' && needsCredential.includes(reading.state) && !item.credential_id)
    return { kind: 'state', state: 'in_progress' }
  return reading
}

function hashesOf(item: ItemAsShown, hasher: Hasher): string[] {
  const hashes: Buffer[] = []
  if (item.email_) hashes.push(hasher.match('email', item.email_))
  if (item.contact_number) hashes.push(hasher.match('phone', item.contact_number))
  for (const kind of correlations) {
    const value = item[kind]
    if (value) hashes.push(hasher.match(kind, value))
  }
  return hashes.map((hash) => hash.toString('hex'))
}

/**
 * Builds a fingerprint from values that do not change while a request is processed: the person, the certificate and the
 * request date. It is a keyed hash, so it contains no personal data. Fingerprints are stored: changing `parts`, their
 * order or the kind `uid` would break every fingerprint that the ledger already has.
 */
function fingerprintOf(item: ItemAsShown, hasher: Hasher): string {
  const parts = [
    item.email_,
    item.contact_number,
    item.reg_no,
    item.certificate_name,
    item.request_date,
    item.fname,
    item.lname,
  ]
  const keyedHash = hasher.match('uid', JSON.stringify(parts))
  return `fp-${createHash('sha256').update(keyedHash).digest('hex').slice(0, 40)}`
}

/**
 * Returns the day as YYYY-MM-DD; null if the text does not begin with a date, or begins with one that does not exist,
 * such as 0000-00-00: the database would reject that, and the whole scan would fail.
 */
function readDay(text: string | null): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? '')
  return parts && calendarDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))
}
