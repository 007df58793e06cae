// The data of a correction: from the command line or from a source row.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { identify } from '#src/domain/credential/person-hashes.ts'
import {
  CorrectionError,
  correctionLines,
  proposeCorrection,
  proposeFromRow,
  readCorrections,
} from '#src/issuing/intake/propose-correction.ts'
import { aCourse, aRecipient, byPrimaryValue } from '#test/support/domain-objects.ts'
import { sandboxFields as fields } from '#test/support/sandbox-fields.ts'

const hasher = new Hasher(Buffer.alloc(32, 7))
const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const pipeline = { columns, identity: [], occurrence: [], correlation: undefined }
const tools = { pipeline, fields, hasher }
const recipient = aRecipient(1)
const { issuanceKey } = identify(recipient, aCourse, byPrimaryValue, hasher)
const known = { recipient, issuanceKey, courseUuid: aCourse }

/** Returns the message of the CorrectionError that `work` throws. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof CorrectionError) return error.message
    throw error
  }
  throw new Error('No CorrectionError was thrown.')
}

describe('the data of a correction', () => {
  test('are the old data with the given changes, and the issuance key stays the same', () => {
    const change = readCorrections(['last name = Byron', 'Register Number='], fields)
    const proposed = proposeCorrection(known, change, tools)
    expect(proposed.recipient).toEqual({ ...recipient, 'Last Name': 'Byron' })
    expect(proposed.changedFields).toEqual(['Last Name'])
    expect(proposed.issuanceKey).toEqual(issuanceKey)
    expect(correctionLines(recipient, proposed.recipient, fields)).toEqual([
      'Last Name: L… (8 characters) → B… (5 characters)',
    ])
  })

  test('may have the identity in another spelling, but must not change it', () => {
    expect(proposeCorrection(known, { Email: 'PERSON.1@example.org' }, tools).issuanceKey).toEqual(issuanceKey)
    expect(refusal(() => proposeCorrection(known, { Email: 'other@example.org' }, tools))).toContain(
      'With other values for Email the row is another person',
    )
  })

  test('must be valid for the course, and must name existing fields', () => {
    const sentence = refusal(() => proposeCorrection(known, { 'First Name': '' }, tools))
    expect(sentence).toContain('the course requires “First Name”')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'x'.repeat(300) }, tools))).not.toContain('xxxx')
    expect(refusal(() => readCorrections(['Lst Name=Byron'], fields))).toContain('Did you mean the field “Last Name”?')
    expect(refusal(() => readCorrections(['Byron'], fields))).toContain('FIELD=VALUE')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'Lovelace' }, tools))).toContain('Nothing differs')
  })

  test('may come from a source row, in which empty cells change nothing', () => {
    const header = ['e_mail', 'First Name', 'Last Name', 'Birth Date']
    const full = { ...recipient, 'Birth Date': '1815-12-10' }
    const row = { header, format: 'csv' as const, row: 7, cells: ['person.1@example.org', 'Ada1', 'Byron', ''] }
    expect(proposeFromRow({ ...known, recipient: full }, row, tools)).toMatchObject({
      recipient: { ...full, 'Last Name': 'Byron' },
      changedFields: ['Last Name'],
    })
    const wrong = { ...row, cells: ['person.1@example.org', '', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, wrong, tools))).toContain('Row 7 is not valid with the current settings')
    const other = { ...row, cells: ['person.2@example.org', 'Ada1', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, other, tools))).toContain('another person')
  })
})
