import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/issuance/identity.ts'
import { IdentityError, identify, primaryField } from '#src/issuance/person.ts'
import { aCourse, aRecipient, byPrimaryValue, otherCourse } from '#test/support/build.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const ada = aRecipient(1, { 'Program End Date': '2026-03-01', 'Register Number': 'R-7' })

describe('who a recipient is', () => {
  test('is said by the field that Primary Value names, Email when it names none', () => {
    expect(primaryField({ Email: 'a', 'Primary Value': 'Email' })).toBe('Email')
    expect(primaryField({ Email: 'a' })).toBe('Email')
    expect(primaryField({ 'Contact Number': '1', 'Primary Value': 'contact_number' })).toBe('Contact Number')
    expect(primaryField({ Email: 'a', 'Primary Value': 'Phone' })).toBe('Phone')
  })

  test('does not change with the case of an e-mail or spaces around it', () => {
    const shouted = { ...ada, Email: ' PERSON.1@EXAMPLE.ORG ' }
    expect(identify(shouted, aCourse, byPrimaryValue, hasher)).toEqual(identify(ada, aCourse, byPrimaryValue, hasher))
  })

  test('does not change with the name: one address is one person', () => {
    const married = { ...ada, 'Last Name': 'King' }
    expect(identify(married, aCourse, byPrimaryValue, hasher)).toEqual(identify(ada, aCourse, byPrimaryValue, hasher))
  })

  test('is the same person in two courses, with a credential for each', () => {
    const [here, there] = [aCourse, otherCourse].map((course) => identify(ada, course, byPrimaryValue, hasher))
    expect(here?.identityHash).toEqual(there?.identityHash)
    expect(here?.issuanceKey).not.toEqual(there?.issuanceKey)
  })

  test('can have a second credential when the pipeline names an occasion', () => {
    const rule = { ...byPrimaryValue, occurrence: ['Program End Date'] }
    const first = identify(ada, aCourse, rule, hasher)
    const second = identify({ ...ada, 'Program End Date': '2026-09-01' }, aCourse, rule, hasher)
    expect(second.identityHash).toEqual(first.identityHash)
    expect(second.issuanceKey).not.toEqual(first.issuanceKey)
  })

  test('can be said by fields of the pipeline instead of the primary value', () => {
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const moved = { ...ada, Email: 'new@example.org' }
    const [before, after] = [ada, moved].map((each) => identify(each, aCourse, rule, hasher))
    expect(after?.issuanceKey).toEqual(before?.issuanceKey)
    expect(after?.matchHashes).not.toEqual(before?.matchHashes)
  })
})

describe('how a recipient is found in the report', () => {
  const hashesOf = (more: Record<string, string>, rule = byPrimaryValue) =>
    identify(aRecipient(1, more), aCourse, rule, hasher).matchHashes

  test('is by e-mail where that is the primary value', () => {
    expect(hashesOf({})).toEqual([hasher.match('email', 'person.1@example.org')])
  })

  test('is by phone with and without the dial code, for it is not documented which of them is shown', () => {
    const phone = { 'Primary Value': 'Contact Number', 'Contact Number': '0171 2345', 'Dial code': '+49' }
    expect(hashesOf(phone)).toEqual([hasher.match('phone', '1712345'), hasher.match('phone', '491712345')])
  })

  test('is by phone alone where there is no dial code', () => {
    const phone = { 'Primary Value': 'Contact Number', 'Contact Number': '0171 2345' }
    expect(hashesOf(phone)).toEqual([hasher.match('phone', '1712345')])
  })

  test('is by the correlation value alone where the row has one', () => {
    const correlation = { field: 'Register Number', kind: 'reg_no' as const }
    const rule = { ...byPrimaryValue, correlation }
    expect(hashesOf({ 'Register Number': 'R-7' }, rule)).toEqual([hasher.match('reg_no', 'R-7')])
    expect(hashesOf({}, rule)).toEqual([hasher.match('email', 'person.1@example.org')])
  })
})

describe('two people', () => {
  const same = (field: string, one: string, other: string) => {
    const rule = { ...byPrimaryValue, identity: [field] }
    const [a, b] = [one, other].map((value) => identify(aRecipient(1, { [field]: value }), aCourse, rule, hasher))
    return a?.identityHash.equals(b?.identityHash as Buffer)
  }

  test('are not one because their contact’s address has no digits', () => {
    expect(same('Contact Email', 'ann@example.org', 'bob@example.org')).toBe(false)
    expect(same('Contact Person', 'Ann Bell 1', 'Bob Bell 1')).toBe(false)
  })

  test('are one when their number is, however it is written', () => {
    expect(same('Contact Number', '0171 2345', '(0171) 23-45')).toBe(true)
  })
})

describe('a row that does not say who it is about', () => {
  test.each([
    ['without a primary value', { 'Primary Value': 'Contact Number' }, byPrimaryValue, 'Contact Number'],
    ['without an identity field', {}, { ...byPrimaryValue, identity: ['Register Number'] }, 'Register Number'],
    [
      'with a number that has none',
      { 'Primary Value': 'Contact Number', 'Contact Number': 'n/a' },
      byPrimaryValue,
      'Contact Number',
    ],
    ['without its occasion', {}, { ...byPrimaryValue, occurrence: ['Program End Date'] }, 'Program End Date'],
  ])('%s is refused with the name of the field and nothing of the person', (_, more, rule, field) => {
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

  test('is refused also where it is identified by other fields but could not be found again', () => {
    const rule = { ...byPrimaryValue, identity: ['Register Number'] }
    const row = { 'Register Number': 'R-7', 'Primary Value': 'Email' }
    expect(() => identify(row, aCourse, rule, hasher)).toThrow(IdentityError)
  })
})
