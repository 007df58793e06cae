// Builds domain objects with defaults, so that a test names only the values it is about.

import { type Hasher, normalizeEmail } from '#src/domain/credential/identity-hasher.ts'
import { type IdentityRule, identify } from '#src/domain/credential/person-hashes.ts'
import type { Policy } from '#src/issuing/reconcile/policy.ts'
import type { ItemAsShown, SeenItem } from '#src/issuing/reconcile/read-report-item.ts'
import type { Candidate, ReportFields } from '#src/ledger/report/report-items.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import type { Run } from '#src/ledger/runs/runs.ts'
import type { ResultRow } from '#src/ledger/runs/write-backs.ts'

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

/** A valid row as intake stages it. */
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

/** A row that intake refuses. */
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

/** A row that the setting where leaves out. */
export function aRowNotMeant(row: number): StagedRow {
  const violations = [{ row, column: 'Passed', rule: 'where', sentence: 'not meant: “Passed” is not TRUE' }]
  return { ...aBadRow(row), cells: ['FALSE'], violations }
}

/** The report item of a request made today for `recipient`. It is completed unless `more` has another status. */
export function aReportItem(recipient: Recipient, more: Partial<ItemAsShown> = {}): ItemAsShown {
  const email = normalizeEmail(recipient.Email ?? '')
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

/** An issuance that was sent at 12:00 UTC and accepted. Its person has the hash `a1`. */
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

/** An item of the person with the hash `a1`, requested on 1 March and first seen at 13:00 UTC. */
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

/** An issued row of a run. */
export function aResultRow(more: Partial<ResultRow> = {}): ResultRow {
  return {
    row: 2,
    outcome: 'accepted',
    cells: ['ada@example.org', 'Ada'],
    raw: null,
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
    forgottenAt: null,
    ...more,
  }
}

/** Default limits for a decision; times are in milliseconds. */
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

/** A published run of ten rows. */
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
    notMeant: 0,
    forgotten: 0,
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
    waits: null,
    ...more,
  }
}
