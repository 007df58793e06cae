// Tests the credential report: its fields, filters, order and pages.

import { describe, expect, test } from 'vitest'
import { paths, person, type Visitor, visitSandbox } from './visitor.ts'

const day = 86_400_000

const documented = [
  ...['name', 'fname', 'lname', 'email_', 'contact_number', 'batch_name', 'certificate_name', 'issued_status'],
  ...['issue_date', 'valid_till', 'revoked_date', 'request_date', 'target_hash', 'certificate_path', 'entity_uuid'],
  ...['credential_id', 'reg_no', 'uid', 'cert_no', 'unique_no', 'public_verifier_link', 'membership_id'],
]

/** Makes seven requests: five on 1 March, two for another course on 3 March, the last of them still in the queue. */
async function visitWithSeven(): Promise<Visitor> {
  const long = { accessMs: 30 * day, refreshMs: 30 * day }
  const visitor = await visitSandbox({ tokenLife: long, reportLagMs: 0, maxPage: 4 })
  const { invite, clock, sandbox } = visitor
  const other = sandbox.courses[1]
  const toOther = {
    course_uuid: other?.uuid,
    template_uuid: other?.templateUuid,
    badge_template_uuid: other?.badgeTemplateUuid,
  }
  await invite([
    person('a1@example.org', { 'Register Number': '007', 'Contact Number': '+49 30 1' }),
    person('a2@example.org', { 'Last Name': 'Byron' }),
    person('reject.a3@example.org'),
    person('a4@example.org'),
    person('a4@example.org'),
  ])
  await clock.advance(2 * day)
  await invite([person('b1@example.org')], toOther)
  await clock.advance(60_000)
  await invite([person('b2@example.org')], toOther)
  return visitor
}

const emails = (answer: { payload: { data: { email_: string }[] } }) =>
  answer.payload.data.map(({ email_ }) => email_.split('@')[0])

describe('an item', () => {
  test('has exactly the documented fields, and returns the register number unchanged', async () => {
    const { report } = await visitWithSeven()
    const [item] = (await report({ email_: 'a1@example.org' })).payload.data
    expect(Object.keys(item)).toEqual(documented)
    expect(item).toMatchObject({
      name: 'Ada Lovelace',
      contact_number: '+49 30 1',
      reg_no: '007',
      certificate_name: 'Welding Basics',
      uid: null,
      revoked_date: null,
    })
  })
})

describe('a filter', () => {
  test.each([
    ['email_, whole and without case', { email_: 'A4@example.org' }, ['a4', 'a4']],
    ['email_, not by a part', { email_: 'a4@' }, []],
    ['contact_number', { contact_number: '+49 30 1' }, ['a1']],
    ['reg_no', { reg_no: '007' }, ['a1']],
    ['name, by a part', { name: 'byr' }, ['a2']],
    ['certificate_name', { certificate_name: 'Safety at Work' }, ['b1', 'b2']],
    ['one status', { issued_status_id: [4] }, ['reject.a3']],
    ['two statuses', { issued_status_id: [4, 6] }, ['reject.a3', 'b2']],
    ['no status at all, which filters nothing', { issued_status_id: [], email_: 'b2@example.org' }, ['b2']],
    ['date_range, both ends inside', { date_range: { start: '2026-03-02', end: '2026-03-03' } }, ['b1', 'b2']],
    ['date_range, open at the start', { date_range: { end: '2026-03-01' }, name: 'byron' }, ['a2']],
    ['issue_date, which leaves out what is not issued', { issue_date: { start: '2026-03-02' } }, ['b1']],
    ['two keys together', { certificate_name: 'Welding', issued_status_id: [4] }, ['reject.a3']],
    ['a field that no recipient has', { membership_id: '1' }, []],
  ])('works on %s', async (_case, search, expected) => {
    const { report } = await visitWithSeven()
    const answer = await report(search, { sortOrder: 'asc' })
    expect(emails(answer)).toEqual(expected)
    expect(answer.pager).toMatchObject({ filteredRecords: expected.length, totalRecords: 7 })
  })

  test('works on credential_id', async () => {
    const { report, sandbox } = await visitWithSeven()
    const wanted = sandbox.requests()[1]?.credentialId
    expect(emails(await report({ credential_id: wanted }))).toEqual(['a2'])
  })

  test.each([
    ['that is an object, not a string', { search: { email_: 'a' } }],
    ['that is not JSON', { search: 'email_=a' }],
    ['with an unknown key', { search: '{"emial_":"a"}' }],
    ['with one status instead of an array', { search: '{"issued_status_id":4}' }],
    ['with a day that does not exist', { search: '{"date_range":{"start":"2026-02-30"}}' }],
    ['with a range that is not an object', { search: '{"date_range":"2026-03-01"}' }],
  ])('%s is refused', async (_case, body) => {
    const { post } = await visitWithSeven()
    expect((await post(paths.report, body)).http).toBe(400)
  })
})

describe('a page', () => {
  test('is the first ten, newest first, by default', async () => {
    const { report, invite } = await visitSandbox({ reportLagMs: 0 })
    await invite(Array.from({ length: 12 }, (_, n) => person(`p${n}@example.org`)))
    const answer = await report()
    expect(emails(answer)).toEqual(Array.from({ length: 10 }, (_, n) => `p${11 - n}`))
    expect(answer.pager).toEqual({
      pageNumber: 1,
      recordsPerPage: 10,
      filteredRecords: 12,
      totalRecords: 12,
      sortBy: 'request_date',
      sortOrder: 'desc',
    })
  })

  test('is cut to the maximum, and the pager says so', async () => {
    const { report } = await visitWithSeven()
    const answer = await report({}, { recordsPerPage: 5_000 })
    expect(answer.payload.data).toHaveLength(4)
    expect(answer.pager).toMatchObject({ recordsPerPage: 4, filteredRecords: 7 })
  })

  test.each(['asc', 'desc'])('after page shows each request once and ends empty (%s)', async (sortOrder) => {
    const { report, sandbox } = await visitWithSeven()
    const seen: string[] = []
    for (const pageNumber of [1, 2, 3, 4]) {
      const { data } = (await report({}, { pageNumber, recordsPerPage: 3, sortOrder })).payload
      seen.push(...data.map(({ entity_uuid }: { entity_uuid: string }) => entity_uuid))
      expect(data).toHaveLength([0, 3, 3, 1, 0][pageNumber] ?? -1)
    }
    const held = sandbox.requests().map(({ entityUuid }) => entityUuid)
    expect(seen).toEqual(sortOrder === 'asc' ? held : held.reverse())
  })

  test('is ordered by another field if requested, and refuses one that does not exist', async () => {
    const { report } = await visitWithSeven()
    const wish = { sortBy: 'email_', sortOrder: 'DESC', recordsPerPage: 3 }
    expect(emails(await report({}, wish))).toEqual(['reject.a3', 'b2', 'b1'])
    expect((await report({}, { sortBy: 'shoe_size' })).http).toBe(400)
  })
})
