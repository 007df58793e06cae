// A report item becomes what the ledger can match and store. Pure, but for the keyed hashes it is handed.

import { createHash } from 'node:crypto'
import type { Hasher, MatchKind } from '#src/issuance/identity.ts'
import { type ReportReading, readReportStatus } from '#src/issuance/report-status.ts'
import type { State } from '#src/issuance/state.ts'
import type { ReportFields } from '#src/ledger/report.ts'
import { calendarDate } from '#src/recipients/calendar-date.ts'
import type { ShownPerson } from './compare-person.ts'
import type { MatchItem } from './match.ts'

/** The parts of the service's "Credential report item" that are used. Unset values are null. */
export interface ReportItemShown {
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
  person: ShownPerson
  reading: ReportReading
  fields: ReportFields
}

const correlations: readonly (keyof ReportItemShown & MatchKind)[] = [
  'reg_no',
  'uid',
  'unique_no',
  'cert_no',
  'membership_id',
]

export function readItem(item: ReportItemShown, hasher: Hasher): Omit<SeenItem, 'firstSeenAt'> {
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

/** Completed without a credential_id is not yet issued: nobody could be told which credential it is. */
function trustedReading(item: ReportItemShown): ReportReading {
  const reading = readReportStatus(item.issued_status, item.revoked_date)
  const needsCredential: State[] = ['issued', 'revoked']
  if (reading.kind === 'state' && needsCredential.includes(reading.state) && !item.credential_id)
    return { kind: 'state', state: 'in_progress' }
  return reading
}

function hashesOf(item: ReportItemShown, hasher: Hasher): string[] {
  const hashes: Buffer[] = []
  if (item.email_) hashes.push(hasher.match('email', item.email_))
  if (item.contact_number) hashes.push(hasher.match('phone', item.contact_number))
  for (const kind of correlations) {
    const value = item[kind]
    if (value) hashes.push(hasher.match(kind, value))
  }
  return hashes.map((hash) => hash.toString('hex'))
}

/** Of what does not change while a request is worked on: who, for what, asked on which day. Keyed, so that it holds no person. */
function fingerprintOf(item: ReportItemShown, hasher: Hasher): string {
  const parts = [
    item.email_,
    item.contact_number,
    item.reg_no,
    item.certificate_name,
    item.request_date,
    item.fname,
    item.lname,
  ]
  const keyed = hasher.match('uid', JSON.stringify(parts))
  return `fp-${createHash('sha256').update(keyed).digest('hex').slice(0, 40)}`
}

/** Null also for a day that no calendar has, such as 0000-00-00: the database would refuse it, and the whole reading with it. */
function readDay(text: string | null): string | null {
  const parts = /^(\d{4})-(\d{2})-(\d{2})/.exec(text ?? '')
  return parts && calendarDate(Number(parts[1]), Number(parts[2]), Number(parts[3]))
}
