import { describe, expect, test } from 'vitest'
import {
  CorrectionError,
  differenceLines,
  proposeCorrection,
  proposeFromRow,
  readSettings,
} from '#src/intake/propose-correction.ts'
import { Hasher } from '#src/issuance/identity.ts'
import { identify } from '#src/issuance/person.ts'
import { aCourse, aRecipient, byPrimaryValue } from '#test/support/build.ts'
import { sandboxFields as fields } from '#test/support/sandbox-fields.ts'

const hasher = new Hasher(Buffer.alloc(32, 7))
const columns = { Email: 'e_mail', 'Primary Value': { value: 'Email' } }
const pipeline = { columns, identity: [], occurrence: [], correlation: undefined }
const tools = { pipeline, fields, hasher }
const recipient = aRecipient(1)
const { issuanceKey } = identify(recipient, aCourse, byPrimaryValue, hasher)
const known = { recipient, issuanceKey, courseUuid: aCourse }

/** What it says when it refuses. */
function refusal(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof CorrectionError) return error.message
    throw error
  }
  throw new Error('It was not refused.')
}

describe('the data of a correction', () => {
  test('are the old ones but for what is set, of the same person by the same key', () => {
    const change = readSettings(['last name = Byron', 'Register Number='], fields)
    const proposed = proposeCorrection(known, change, tools)
    expect(proposed.recipient).toEqual({ ...recipient, 'Last Name': 'Byron' })
    expect(proposed.changedFields).toEqual(['Last Name'])
    expect(proposed.issuanceKey).toEqual(issuanceKey)
    expect(differenceLines(recipient, proposed.recipient, fields)).toEqual([
      'Last Name: L… (8 characters) → B… (5 characters)',
    ])
  })

  test('may spell the identity otherwise, and may not change it', () => {
    expect(proposeCorrection(known, { Email: 'PERSON.1@example.org' }, tools).issuanceKey).toEqual(issuanceKey)
    expect(refusal(() => proposeCorrection(known, { Email: 'other@example.org' }, tools))).toContain(
      'With other values for Email it is another person',
    )
  })

  test('obey the rules of the course, and name fields that it has', () => {
    const sentence = refusal(() => proposeCorrection(known, { 'First Name': '' }, tools))
    expect(sentence).toContain('the course requires “First Name”')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'x'.repeat(300) }, tools))).not.toContain('xxxx')
    expect(refusal(() => readSettings(['Lst Name=Byron'], fields))).toContain('Did you mean “Last Name”?')
    expect(refusal(() => readSettings(['Byron'], fields))).toContain('FIELD=VALUE')
    expect(refusal(() => proposeCorrection(known, { 'Last Name': 'Lovelace' }, tools))).toContain('Nothing differs')
  })

  test('may come from a row of a source, whose empty cells change nothing', () => {
    const header = ['e_mail', 'First Name', 'Last Name', 'Birth Date']
    const full = { ...recipient, 'Birth Date': '1815-12-10' }
    const row = { header, format: 'csv' as const, row: 7, cells: ['person.1@example.org', 'Ada1', 'Byron', ''] }
    expect(proposeFromRow({ ...known, recipient: full }, row, tools)).toMatchObject({
      recipient: { ...full, 'Last Name': 'Byron' },
      changedFields: ['Last Name'],
    })
    const wrong = { ...row, cells: ['person.1@example.org', '', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, wrong, tools))).toContain('The row 7 is not in order today')
    const other = { ...row, cells: ['person.2@example.org', 'Ada1', 'Byron', ''] }
    expect(refusal(() => proposeFromRow(known, other, tools))).toContain('another person')
  })
})
