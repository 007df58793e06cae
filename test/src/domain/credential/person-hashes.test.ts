// Which records have the same hashes, and which rows have no identity.

import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { IdentityError, identify, identityOf, primaryField } from '#src/domain/credential/person-hashes.ts'
import { aCourse, aRecipient, byPrimaryValue, otherCourse } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const ada = aRecipient(1, { 'Program End Date': '2026-03-01', 'Register Number': 'R-7' })

describe('the identity of a recipient', () => {
  test('comes from the field that Primary Value names, or from Email if Primary Value names none', () => {
    expect(primaryField({ Email: 'a', 'Primary Value': 'Email' })).toBe('Email')
    expect(primaryField({ Email: 'a' })).toBe('Email')
    expect(primaryField({ 'Contact Number': '1', 'Primary Value': 'contact_number' })).toBe('Contact Number')
    expect(primaryField({ Email: 'a', 'Primary Value': 'Phone' })).toBe('Phone')
  })

  test('does not depend on the case of an e-mail address or spaces around it', () => {
    const inCapitals = { ...ada, Email: ' PERSON.1@EXAMPLE.ORG ' }
    expect(identify(inCapitals, aCourse, byPrimaryValue, hasher)).toEqual(
      identify(ada, aCourse, byPrimaryValue, hasher),
    )
  })

  test('does not depend on the name: one address is one person', () => {
    const married = { ...ada, 'Last Name': 'King' }
    expect(identify(married, aCourse, byPrimaryValue, hasher)).toEqual(identify(ada, aCourse, byPrimaryValue, hasher))
  })

  test('is the same in two courses, with a credential for each', () => {
    const [first, second] = [aCourse, otherCourse].map((course) => identify(ada, course, byPrimaryValue, hasher))
    expect(first?.identityHash).toEqual(second?.identityHash)
    expect(first?.issuanceKey).not.toEqual(second?.issuanceKey)
  })

  test('allows a second credential if the pipeline has occurrence fields', () => {
    const rule = { ...byPrimaryValue, occurrence: ['Program End Date'] }
    const first = identify(ada, aCourse, rule, hasher)
    const second = identify({ ...ada, 'Program End Date': '2026-09-01' }, aCourse, rule, hasher)
    expect(second.identityHash).toEqual(first.identityHash)
    expect(second.issuanceKey).not.toEqual(first.issuanceKey)
  })

  test('can come from the pipeline’s identity fields instead of the primary value', () => {
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const moved = { ...ada, Email: 'new@example.org' }
    const [before, after] = [ada, moved].map((each) => identify(each, aCourse, rule, hasher))
    expect(after?.issuanceKey).toEqual(before?.issuanceKey)
    expect(after?.matchHashes).not.toEqual(before?.matchHashes)
  })

  test('is another credential of the same person on another occasion', () => {
    const days = ['2026-03-01', '2026-03-02'].map((day) => new Date(day))
    const all = [undefined, ...days].map((day) => identify(ada, aCourse, byPrimaryValue, hasher, day))
    expect(new Set(all.map(({ issuanceKey }) => issuanceKey.toString('hex'))).size).toBe(3)
    expect(new Set(all.map(({ identityHash }) => identityHash.toString('hex'))).size).toBe(1)
  })

  test('is written in the ledger, so the same record has the same hashes in every version', () => {
    const rule = { ...byPrimaryValue, occurrence: ['Program End Date'] }
    const { issuanceKey, identityHash } = identify(ada, aCourse, rule, hasher, new Date('2026-03-01'))
    expect([issuanceKey, identityHash].map((hash) => hash.toString('hex'))).toEqual([
      '77dd2b8d6885fad2fde3c58924ee3ff60573622775ef88e702f4e6d0b194c6aa',
      'd8f24aff222462d2c1c47ee99920a9498c696090450faa9f4446aca4ff3fb584',
    ])
  })

  test('of an occasion keeps the occurrence fields', () => {
    const rule = { ...byPrimaryValue, occurrence: ['Program End Date'] }
    const again = { ...ada, 'Program End Date': '2026-09-01' }
    const [one, other] = [ada, again].map((row) => identify(row, aCourse, rule, hasher, new Date('2026-03-01')))
    expect(one?.issuanceKey).not.toEqual(other?.issuanceKey)
  })

  test.each([
    ['the primary value', byPrimaryValue],
    ['identity fields', { ...byPrimaryValue, identity: ['Register Number', 'Last Name'] }],
  ])('by %s is found again without a course', (_, rule) => {
    expect(identityOf(ada, rule, hasher)).toEqual(identify(ada, aCourse, rule, hasher).identityHash)
  })

  test('is none if an identity field is empty', () => {
    expect(identityOf(ada, { ...byPrimaryValue, identity: ['Seat'] }, hasher)).toBeNull()
    expect(identityOf({ ...ada, Email: '' }, byPrimaryValue, hasher)).toBeNull()
  })
})

describe('finding a recipient in the report', () => {
  const hashesOf = (more: Record<string, string>, rule = byPrimaryValue) =>
    identify(aRecipient(1, more), aCourse, rule, hasher).matchHashes

  test('uses the e-mail address if that is the primary value', () => {
    expect(hashesOf({})).toEqual([hasher.match('email', 'person.1@example.org')])
  })

  test('uses the phone number with and without the dial code, because it is not documented which the report shows', () => {
    const phone = { 'Primary Value': 'Contact Number', 'Contact Number': '0171 2345', 'Dial code': '+49' }
    expect(hashesOf(phone)).toEqual([hasher.match('phone', '1712345'), hasher.match('phone', '491712345')])
  })

  test('uses only the phone number if there is no dial code', () => {
    const phone = { 'Primary Value': 'Contact Number', 'Contact Number': '0171 2345' }
    expect(hashesOf(phone)).toEqual([hasher.match('phone', '1712345')])
  })

  test('uses only the correlation value if the row has one', () => {
    const correlation = { field: 'Register Number', kind: 'reg_no' as const }
    const rule = { ...byPrimaryValue, correlation }
    expect(hashesOf({ 'Register Number': 'R-7' }, rule)).toEqual([hasher.match('reg_no', 'R-7')])
    expect(hashesOf({}, rule)).toEqual([hasher.match('email', 'person.1@example.org')])
  })
})

describe('two records', () => {
  const isSamePerson = (field: string, one: string, other: string) => {
    const rule = { ...byPrimaryValue, identity: [field] }
    const [a, b] = [one, other].map((value) => identify(aRecipient(1, { [field]: value }), aCourse, rule, hasher))
    return a?.identityHash.equals(b?.identityHash as Buffer)
  }

  test('are not one person just because their contact addresses have no digits', () => {
    expect(isSamePerson('Contact Email', 'ann@example.org', 'bob@example.org')).toBe(false)
    expect(isSamePerson('Contact Person', 'Ann Bell 1', 'Bob Bell 1')).toBe(false)
  })

  test('are one person if their number is the same, however the number is written', () => {
    expect(isSamePerson('Contact Number', '0171 2345', '(0171) 23-45')).toBe(true)
  })
})

describe('a row without an identity', () => {
  test.each([
    ['whose primary value is empty', { 'Primary Value': 'Contact Number' }, byPrimaryValue, 'Contact Number'],
    ['whose identity field is empty', {}, { ...byPrimaryValue, identity: ['Register Number'] }, 'Register Number'],
    [
      'whose phone number has no digits',
      { 'Primary Value': 'Contact Number', 'Contact Number': 'n/a' },
      byPrimaryValue,
      'Contact Number',
    ],
    [
      'whose phone number has no digits, beside the primary value',
      { 'Contact Number': 'n/a' },
      { ...byPrimaryValue, identity: ['Contact Number'] },
      'Contact Number',
    ],
    [
      'whose primary value has no digits, beside an identity field',
      { 'Primary Value': 'Contact Number', 'Contact Number': 'n/a', 'Register Number': 'R-7' },
      { ...byPrimaryValue, identity: ['Register Number'] },
      'Contact Number',
    ],
    ['whose Primary Value names itself', { 'Primary Value': 'primary_value' }, byPrimaryValue, 'primary_value'],
    [
      'whose occurrence field is empty',
      {},
      { ...byPrimaryValue, occurrence: ['Program End Date'] },
      'Program End Date',
    ],
  ])('%s is refused with the name of the field and no personal data', (_, more, rule, field) => {
    const row = aRecipient(1, more as Record<string, string>)
    const fault = (() => {
      try {
        return identify(row, aCourse, rule, hasher)
      } catch (error) {
        return error as Error
      }
    })()
    expect(fault).toBeInstanceOf(IdentityError)
    expect((fault as Error).message).toContain(field)
    expect((fault as IdentityError).field).toBe(field)
    expect((fault as Error).message).not.toContain('person.1')
  })

  test('is also refused if its identity fields are filled in but it could not be found again in the report', () => {
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const row = { 'Register Number': 'R-7', 'Primary Value': 'Email' }
    expect(() => identify(row, aCourse, rule, hasher)).toThrow(IdentityError)
  })
})
