// Builders for the things that judgements are made of: a test names only what it is about.

import { type Hasher, normaliseEmail } from '#src/issuance/identity.ts'
import { type IdentityRule, identify } from '#src/issuance/person.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { Candidate, ReportFields } from '#src/ledger/report.ts'
import type { Run } from '#src/ledger/runs.ts'
import type { ResultRow } from '#src/ledger/write-backs.ts'
import type { Policy } from '#src/reconcile/policy.ts'
import type { ReportItemShown, SeenItem } from '#src/reconcile/read-item.ts'

export const aCourse = '11111111-1111-4111-8111-111111111111'
export const otherCourse = '22222222-2222-4222-8222-222222222222'

export type Recipient = Record<string, string>

/** Person `n`: `person.7@example.org`, Ada7 Lovelace. */
export function aRecipient(n: number, more: Recipient = {}): Recipient {
  return {
    Email: `person.${n}@example.org`,
    'First Name': `Ada${n}`,
    'Last Name': 'Lovelace',
    'Primary Value': 'Email',
    ...more,
  }
}

/** People `from` to `from + count - 1`. */
export function recipients(count: number, from = 1): Recipient[] {
  return Array.from({ length: count }, (_, index) => aRecipient(from + index))
}

export const byPrimaryValue: IdentityRule = { identity: [], occurrence: [], correlation: null }

/** A good row as the intake stages it. */
export function aStagedRow(
  row: number,
  recipient: Recipient,
  hasher: Hasher,
  { course = aCourse, rule = byPrimaryValue } = {},
): StagedRow {
  return {
    row,
    cells: Object.values(recipient),
    violations: null,
    recipient,
    ...identify(recipient, course, rule, hasher),
  }
}

/** A row that the intake refuses. */
export function aBadRow(row: number): StagedRow {
  const violations = [{ row, column: 'e_mail', field: 'Email', rule: 'required', value: '', sentence: 'Fill it in.' }]
  return {
    row,
    cells: [''],
    violations,
    recipient: null,
    issuanceKey: null,
    identityHash: null,
    matchHashes: null,
  }
}

/** What the report shows of a request for `recipient`, made today, which is completed unless said otherwise. */
export function aReportItem(recipient: Recipient, more: Partial<ReportItemShown> = {}): ReportItemShown {
  const email = normaliseEmail(recipient.Email ?? '')
  return {
    fname: recipient['First Name'] ?? null,
    lname: recipient['Last Name'] ?? null,
    email_: email || null,
    contact_number: recipient['Contact Number'] ?? null,
    certificate_name: 'Welding',
    issued_status: 'Request Completed',
    issue_date: '2026-03-01',
    valid_till: null,
    revoked_date: null,
    request_date: new Date().toISOString().slice(0, 10),
    entity_uuid: `entity-of-${email}`,
    credential_id: `credential-of-${email}`,
    reg_no: null,
    uid: null,
    cert_no: null,
    unique_no: null,
    membership_id: null,
    public_verifier_link: null,
    ...more,
  }
}

export const nothingShown: ReportFields = {
  reportStatus: null,
  entityUuid: null,
  credentialId: null,
  verifierLink: null,
  issueDate: null,
  validTill: null,
  revokedDate: null,
}

/** An issuance that was sent at noon and accepted, whose person has the hash `a1`. */
export function aCandidate(id: number, more: Partial<Candidate> = {}): Candidate {
  return {
    id,
    state: 'requested',
    courseUuid: aCourse,
    matchHashes: ['a1'],
    recipient: null,
    firstSentAt: new Date('2026-03-01T12:00:00Z'),
    lastSentAt: new Date('2026-03-01T12:00:00Z'),
    lastOutcome: 'accepted',
    claimedKey: null,
    decidedAt: null,
    surplusItems: 0,
    certificateName: null,
    shown: nothingShown,
    ...more,
  }
}

/** An item of the person with the hash `a1`, requested on the first of March and first seen an hour after noon. */
export function aSeenItem(key: string, more: Partial<SeenItem> = {}): SeenItem {
  return {
    key,
    fingerprint: `fp-${key}`,
    hashes: ['a1'],
    requestDate: '2026-03-01',
    certificateName: null,
    firstSeenAt: new Date('2026-03-01T13:00:00Z'),
    person: { firstName: null, lastName: null, email: null, contactNumber: null },
    reading: { kind: 'state', state: 'requested' },
    fields: { ...nothingShown, reportStatus: 'Request inqueue', entityUuid: key },
    ...more,
  }
}

/** A row of a run that was issued. */
export function aResultRow(more: Partial<ResultRow> = {}): ResultRow {
  return {
    row: 2,
    outcome: 'accepted',
    cells: ['ada@example.org', 'Ada'],
    violations: null,
    skipReason: null,
    changedFields: null,
    issuanceId: 1,
    state: 'issued',
    reason: null,
    credentialId: 'C-1',
    verifierLink: 'https://verify.example.org/C-1',
    issueDate: '2026-03-01',
    validTill: null,
    ...more,
  }
}

/** The usual numbers of a decision, in milliseconds where they are times. */
export function aPolicy(more: Partial<Policy> = {}): Policy {
  return {
    graceMs: { unknown: 6 * 3_600_000, refused: 3_600_000 },
    looks: 2,
    looksWithoutControl: 8,
    looksWithoutBatch: 48,
    resends: 1,
    ...more,
  }
}

/** A run of ten rows that was published. */
export function aRun(more: Partial<Run> = {}): Run {
  return {
    id: '00000000-0000-4000-8000-000000000001',
    environment: 'development',
    pipeline: 'spring',
    courseUuid: null,
    sourceName: 'people.csv',
    sourcePath: '/in/people.csv',
    sourceSha256: 'aa',
    format: 'csv',
    separator: ',',
    header: ['Email'],
    state: 'published',
    rows: 10,
    invalid: 1,
    skipped: 2,
    accepted: 7,
    known: 2,
    changed: 0,
    gone: 0,
    lastList: null,
    readRows: 10,
    notices: [],
    refusal: null,
    resultsPath: '/out/results.csv',
    invalidPath: null,
    receivedAt: new Date(0),
    publishedAt: null,
    settledAt: null,
    brake: null,
    approval: null,
    ...more,
  }
}
