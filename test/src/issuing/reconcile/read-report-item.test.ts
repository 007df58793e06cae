// Reading report items, comparing the person in an item with the person that was sent, and the time of the next scan.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/domain/credential/identity-hasher.ts'
import { differingFields, type PersonInReport } from '#src/issuing/reconcile/compare-person.ts'
import { nextReadDelayMs } from '#src/issuing/reconcile/look-up-revocation.ts'
import { type ItemAsShown, readItem } from '#src/issuing/reconcile/read-report-item.ts'
import { aRecipient, aReportItem } from '#test/support/domain-objects.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const read = (more: Partial<ItemAsShown> = {}) => readItem(aReportItem(aRecipient(1), more), hasher)
const hex = (kind: Parameters<Hasher['match']>[0], value: string) => hasher.match(kind, value).toString('hex')

describe('an item of the report', () => {
  test('is identified by its entity_uuid, or by its fingerprint until it has one', () => {
    expect(read({ entity_uuid: 'e-1' }).key).toBe('e-1')
    for (const none of [null, '']) expect(read({ entity_uuid: none }).key).toBe(read().fingerprint)
  })

  test('has the fingerprint that ledgers of earlier versions contain', () => {
    expect(read({ request_date: '2026-03-01' }).fingerprint).toBe('fp-cc8a079a2d84b43accbaf52b40ba8591c4391364')
  })

  test('keeps its name, ids and link, or has none if they are empty', () => {
    const values = { certificate_name: 'C', entity_uuid: 'E', credential_id: 'I', public_verifier_link: 'L' }
    expect(read(values)).toMatchObject({
      certificateName: 'C',
      fields: { entityUuid: 'E', credentialId: 'I', verifierLink: 'L' },
    })
    const empty = { certificate_name: '', entity_uuid: '', credential_id: '', public_verifier_link: '' }
    expect(read(empty)).toMatchObject({
      certificateName: null,
      fields: { entityUuid: null, credentialId: null, verifierLink: null },
    })
  })

  test('has no request date if the text does not begin with one', () => {
    expect(read({ request_date: 'on 2026-03-01' }).requestDate).toBeNull()
    expect(read({ request_date: null }).requestDate).toBeNull()
  })

  test('keeps its fingerprint while the request is processed', () => {
    const recent = read({ entity_uuid: null, credential_id: null, issued_status: 'Request inqueue', issue_date: null })
    expect(recent.fingerprint).toBe(read().fingerprint)
  })

  test.each<Partial<ItemAsShown>>([
    { email_: 'other@example.org' },
    { certificate_name: 'Cooking' },
    { request_date: '2020-01-01' },
    { fname: 'Bob' },
    { reg_no: '7' },
  ])('has a different fingerprint with %j', (more) => {
    expect(read(more).fingerprint).not.toBe(read().fingerprint)
  })

  test('has a fingerprint that depends on the key', () => {
    const other = readItem(aReportItem(aRecipient(1)), new Hasher(Buffer.alloc(32, 2)))
    expect(other.fingerprint).not.toBe(read().fingerprint)
  })

  test('has a hash for every value that it can be found by', () => {
    const shown = {
      contact_number: '+49 171',
      reg_no: 'R-7',
      uid: 'U',
      unique_no: 'N',
      cert_no: 'C',
      membership_id: 'M',
    }
    expect(read(shown).hashes).toEqual([
      hex('email', 'PERSON.1@example.org'),
      hex('phone', '49171'),
      hex('reg_no', 'r-7'),
      hex('uid', 'U'),
      hex('unique_no', 'N'),
      hex('cert_no', 'C'),
      hex('membership_id', 'M'),
    ])
    expect(read({ email_: null }).hashes).toEqual([])
  })

  test.each<[Partial<ItemAsShown>, string]>([
    [{}, 'issued'],
    [{ credential_id: null }, 'in_progress'],
    [{ credential_id: '' }, 'in_progress'],
    [{ revoked_date: '2026-03-02' }, 'revoked'],
    [{ revoked_date: '2026-03-02', credential_id: null }, 'in_progress'],
    [{ issued_status: 'Request failed', credential_id: null }, 'failed'],
  ])('with %j is read as %s', (more, state) => {
    expect(read(more).reading).toEqual({ kind: 'state', state })
  })

  test.each([
    ['2026-03-01', '2026-03-01'],
    ['2026-03-01T10:00:00Z', '2026-03-01'],
    ['2026-03-01 10:00', '2026-03-01'],
    ['01.03.2026', null],
    ['', null],
    [null, null],
    ['0000-00-00', null],
    ['2026-02-30', null],
    ['2026-13-01', null],
  ])('with the request date %j was requested on the day %j', (given, day) => {
    expect(read({ request_date: given }).requestDate).toBe(day)
  })
})

describe('the person that an item shows', () => {
  const sent = aRecipient(1, { 'Contact Number': '171 2345' })
  const same: PersonInReport = {
    firstName: 'Ada1',
    lastName: 'Lovelace',
    email: 'person.1@example.org',
    contactNumber: '1712345',
  }

  test.each<[string, Partial<PersonInReport>, string[]]>([
    ['is the same', {}, []],
    ['is the same in another case and with other spaces', { firstName: ' ADA1 ', email: 'Person.1@Example.org' }, []],
    ['is the same if the report shows no value', { firstName: null, lastName: '', contactNumber: null }, []],
    ['is the same with a dial code', { contactNumber: '+49 171 2345' }, []],
    ['differs in the first name', { firstName: 'Bob' }, ['First Name']],
    ['differs in the last name', { lastName: 'Lovelac' }, ['Last Name']],
    ['differs in the e-mail address', { email: 'person.11@example.org' }, ['Email']],
    ['differs in the phone number', { contactNumber: '1712346' }, ['Contact Number']],
    ['differs in a phone number that is too short to compare its end', { contactNumber: '2345' }, ['Contact Number']],
    ['differs in all fields', { firstName: 'B', lastName: 'C', email: 'd' }, ['First Name', 'Last Name', 'Email']],
  ])('%s', (_, more, differing) => {
    expect(differingFields(sent, { ...same, ...more })).toEqual(differing)
  })

  test('is not compared if nothing was sent', () => {
    expect(differingFields({ Email: 'person.1@example.org' }, same)).toEqual([])
  })

  test('is compared by the roles of fields, whatever the course calls them', () => {
    const person = { firstName: 'Ada', lastName: 'King', email: 'a@x.org', contactNumber: '0171 23456' }
    const sent = { 'Given Name': 'Eve', Surname: 'king', 'E-Mail': 'b@x.org', Mobile: '0171-23456' }
    expect(differingFields(sent, person)).toEqual(['Given Name', 'E-Mail'])
  })
})

describe('the next scan', () => {
  const cadence = { everyMs: 15_000, slowestMs: 900_000 }

  test.each([
    [0, 15_000],
    [150_000, 15_000],
    [600_000, 60_000],
    [9_000_000, 900_000],
    [90_000_000, 900_000],
    [null, 900_000],
  ])('for a request of age %j comes after %j ms', (age, ms) => {
    expect(nextReadDelayMs(age, cadence)).toBe(ms)
  })

  test('leaves a third of the time to others if a reading takes long', () => {
    expect(nextReadDelayMs(0, { everyMs: 1_000, slowestMs: 100_000 }, 9_000)).toBe(4_500)
    expect(nextReadDelayMs(0, { everyMs: 1_000, slowestMs: 4_000 }, 9_000)).toBe(4_000)
    expect(nextReadDelayMs(0, { everyMs: 15_000, slowestMs: 100_000 }, 9_000)).toBe(15_000)
  })

  test('comes neither before the shortest interval nor after the longest', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (age) => {
        const ms = nextReadDelayMs(age, cadence)
        expect(ms).toBeGreaterThanOrEqual(cadence.everyMs)
        expect(ms).toBeLessThanOrEqual(cadence.slowestMs)
      }),
    )
  })
})
