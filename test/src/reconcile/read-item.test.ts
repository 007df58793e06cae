import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Hasher } from '#src/issuance/identity.ts'
import { nextLookMs } from '#src/reconcile/cadence.ts'
import { differingFields, type ShownPerson } from '#src/reconcile/compare-person.ts'
import { type ReportItemShown, readItem } from '#src/reconcile/read-item.ts'
import { aRecipient, aReportItem } from '#test/support/build.ts'

const hasher = new Hasher(Buffer.alloc(32, 1))
const read = (more: Partial<ReportItemShown> = {}) => readItem(aReportItem(aRecipient(1), more), hasher)
const hex = (kind: Parameters<Hasher['match']>[0], value: string) => hasher.match(kind, value).toString('hex')

describe('an item of the report', () => {
  test('is known by its entity_uuid, and by its fingerprint until it has one', () => {
    expect(read({ entity_uuid: 'e-1' }).key).toBe('e-1')
    for (const none of [null, '']) expect(read({ entity_uuid: none }).key).toBe(read().fingerprint)
  })

  test('keeps its fingerprint while the request is worked on', () => {
    const young = read({ entity_uuid: null, credential_id: null, issued_status: 'Request inqueue', issue_date: null })
    expect(young.fingerprint).toBe(read().fingerprint)
  })

  test.each<Partial<ReportItemShown>>([
    { email_: 'other@example.org' },
    { certificate_name: 'Cooking' },
    { request_date: '2020-01-01' },
    { fname: 'Bob' },
    { reg_no: '7' },
  ])('has another fingerprint with %j', (more) => {
    expect(read(more).fingerprint).not.toBe(read().fingerprint)
  })

  test('gives a fingerprint that is worth nothing without the key', () => {
    const other = readItem(aReportItem(aRecipient(1)), new Hasher(Buffer.alloc(32, 2)))
    expect(other.fingerprint).not.toBe(read().fingerprint)
  })

  test('can be found by everything that it shows', () => {
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

  test.each<[Partial<ReportItemShown>, string]>([
    [{}, 'issued'],
    [{ credential_id: null }, 'in_progress'],
    [{ credential_id: '' }, 'in_progress'],
    [{ revoked_date: '2026-03-02' }, 'revoked'],
    [{ revoked_date: '2026-03-02', credential_id: null }, 'in_progress'],
    [{ issued_status: 'Request failed', credential_id: null }, 'failed'],
  ])('with %j reads as %s: without a credential nobody could be told which', (more, state) => {
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
  ])('with the request date %j is of the day %j', (given, day) => {
    expect(read({ request_date: given }).requestDate).toBe(day)
  })
})

describe('the person that an item shows', () => {
  const sent = aRecipient(1, { 'Contact Number': '171 2345' })
  const same: ShownPerson = {
    firstName: 'Ada1',
    lastName: 'Lovelace',
    email: 'person.1@example.org',
    contactNumber: '1712345',
  }

  test.each<[string, Partial<ShownPerson>, string[]]>([
    ['is the same', {}, []],
    ['is the same in other letters and spaces', { firstName: ' ADA1 ', email: 'Person.1@Example.org' }, []],
    ['is the same where the report shows nothing', { firstName: null, lastName: '', contactNumber: null }, []],
    ['is the same with a dial code', { contactNumber: '+49 171 2345' }, []],
    ['differs by first name', { firstName: 'Bob' }, ['First Name']],
    ['differs by last name', { lastName: 'Lovelac' }, ['Last Name']],
    ['differs by e-mail', { email: 'person.11@example.org' }, ['Email']],
    ['differs by phone', { contactNumber: '1712346' }, ['Contact Number']],
    ['differs by a phone too short to tell', { contactNumber: '2345' }, ['Contact Number']],
    ['differs by everything', { firstName: 'B', lastName: 'C', email: 'd' }, ['First Name', 'Last Name', 'Email']],
  ])('%s', (_, more, differing) => {
    expect(differingFields(sent, { ...same, ...more })).toEqual(differing)
  })

  test('is not compared where nothing was sent', () => {
    expect(differingFields({ Email: 'person.1@example.org' }, same)).toEqual([])
  })

  test('is compared by what its fields are, however the course writes their names', () => {
    const person = { firstName: 'Ada', lastName: 'King', email: 'a@x.org', contactNumber: '0171 23456' }
    const sent = { 'Given Name': 'Eve', Surname: 'king', 'E-Mail': 'b@x.org', Mobile: '0171-23456' }
    expect(differingFields(sent, person)).toEqual(['Given Name', 'E-Mail'])
  })
})

describe('the next look', () => {
  const cadence = { everyMs: 15_000, slowestMs: 900_000 }

  test.each([
    [0, 15_000],
    [150_000, 15_000],
    [600_000, 60_000],
    [9_000_000, 900_000],
    [90_000_000, 900_000],
    [null, 900_000],
  ])('for a request of age %j comes after %j ms', (age, ms) => {
    expect(nextLookMs(age, cadence)).toBe(ms)
  })

  test('is never sooner than the one pace and never later than the other', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e12, noNaN: true }), (age) => {
        const ms = nextLookMs(age, cadence)
        expect(ms).toBeGreaterThanOrEqual(cadence.everyMs)
        expect(ms).toBeLessThanOrEqual(cadence.slowestMs)
      }),
    )
  })
})
