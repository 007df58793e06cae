// Tests which invitations are accepted or refused, and that a refused invitation leaves nothing behind.

import { describe, expect, test } from 'vitest'
import { paths, person, visitSandbox } from './visitor.ts'

describe('a valid invitation', () => {
  test('is answered with an empty payload and holds one request per recipient', async () => {
    const { invite, sandbox, course } = await visitSandbox()
    const answer = await invite([person('a@example.org'), person('b@example.org', { 'Birth Date': '2000-02-29' })])
    expect(answer).toMatchObject({ http: 200, status: 200, payload: {}, pager: {} })
    expect(sandbox.requests()).toMatchObject([
      { course: course.uuid, student: { Email: 'a@example.org' }, credentialId: null, status: 6 },
      { course: course.uuid, student: { Email: 'b@example.org' }, credentialId: null, status: 6 },
    ])
  })
})

describe('one invalid recipient refuses the whole batch', () => {
  test.each([
    ['without a required field', { 'First Name': ' ' }, 'First Name is required'],
    ['with a name that is too long', { 'Last Name': 'x'.repeat(257) }, 'Last Name is longer than 256 characters'],
    ['with an invalid e-mail address', { Email: 'nobody' }, 'Email does not have the required form'],
    ['born on a day that does not exist', { 'Birth Date': '2001-02-29' }, 'Birth Date is not a date'],
    ['with a date in another order', { 'Program End Date': '31.12.2025' }, 'Program End Date is not a date'],
    ['with a number where text belongs', { 'Contact Number': 301234567 }, 'Contact Number must be text'],
    [
      'with an unknown primary value',
      { 'Primary Value': 'Shoe Size' },
      'Primary Value must be Email or Contact Number',
    ],
    ['whose primary value is empty', { 'Primary Value': 'Contact Number' }, 'Primary Value names Contact Number'],
  ])('%s', async (_case, change, reason) => {
    const { invite, sandbox } = await visitSandbox()
    const answer = await invite([person('good@example.org'), person('bad@example.org', change)])
    expect(answer.http).toBe(400)
    expect(answer.message).toContain(`recipient 2: ${reason}`)
    expect(answer.message).not.toMatch(/@example|nobody|Shoe Size|31\.12/)
    expect(sandbox.requests()).toEqual([])
    expect(sandbox.journal().invitesAccepted).toBe(0)
  })
})

describe('the course of an invitation', () => {
  test('must exist', async () => {
    const { invite } = await visitSandbox()
    expect((await invite([person('a@example.org')], { course_uuid: 'nowhere' })).http).toBe(404)
  })

  test.each([
    ['CRANE-3', 'not approved'],
    ['TYPE-4', 'disabled'],
  ])('must be able to issue: %s is %s', async (number, reason) => {
    const { invite, sandbox } = await visitSandbox()
    const closed = sandbox.courses.find((course) => course.number === number)
    const answer = await invite([person('a@example.org')], { course_uuid: closed?.uuid })
    expect(answer.http).toBe(400)
    expect(answer.message).toContain(reason)
    expect(closed?.canIssue).toBe(false)
  })

  test.each(['template_uuid', 'badge_template_uuid'])('must have the %s', async (field) => {
    const { invite, sandbox } = await visitSandbox()
    const foreign = sandbox.courses[1]
    const value = field === 'template_uuid' ? foreign?.templateUuid : foreign?.badgeTemplateUuid
    const answer = await invite([person('a@example.org')], { [field]: value })
    expect(answer.http).toBe(400)
    expect(answer.message).toContain(field)
    expect((await invite([person('a@example.org')], { [field]: undefined })).http).toBe(400)
    expect(sandbox.requests()).toEqual([])
  })
})

describe('an invitation that is too large', () => {
  test('is 413 over the maximum number of recipients, and valid at exactly that number', async () => {
    const { invite, sandbox } = await visitSandbox({ maxBatch: 3 })
    const people = ['a', 'b', 'c', 'd'].map((name) => person(`${name}@example.org`))
    expect((await invite(people)).http).toBe(413)
    expect(sandbox.requests()).toHaveLength(0)
    expect((await invite(people.slice(0, 3))).http).toBe(200)
    expect(sandbox.requests()).toHaveLength(3)
  })

  test('is a readable 413 over 10 MB', async () => {
    const { invite, sandbox } = await visitSandbox()
    const answer = await invite([person('a@example.org', { Other: 'x'.repeat(10 * 1024 * 1024) })])
    expect(answer).toMatchObject({ http: 413, status: 413, payload: {} })
    expect(answer.message).toContain('too large')
    expect(sandbox.requests()).toEqual([])
    const smaller = await invite([person('a@example.org', { Other: 'x'.repeat(10 * 1024 * 1024 - 1_000) })])
    expect(smaller.http).toBe(200)
  })
})

describe('an unreadable body', () => {
  test('is a bad request, and its text is not returned', async () => {
    const { post } = await visitSandbox()
    const answer = await post(paths.invite, '{"student": secret')
    expect(answer.http).toBe(400)
    expect(answer.message).not.toContain('secret')
    expect((await post(paths.invite, [1])).http).toBe(400)
  })
})
