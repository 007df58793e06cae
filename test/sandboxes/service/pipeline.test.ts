// Tests the lifecycle of a request: its statuses by age, what is shown when, and how it ends.

import { describe, expect, test } from 'vitest'
import { person, visitSandbox } from './visitor.ts'

const slow = { pace: { queueMs: 10_000, progressMs: 20_000 }, reportLagMs: 3_000 }

describe('a request', () => {
  test('appears in the report only after the lag', async () => {
    const { invite, report, clock } = await visitSandbox(slow)
    await invite([person('a@example.org')])
    await clock.advance(2_999)
    const before = await report()
    expect(before.payload.data).toEqual([])
    expect(before.pager).toMatchObject({ filteredRecords: 0, totalRecords: 0 })
    await clock.advance(1)
    expect((await report()).payload.data).toMatchObject([{ email_: 'a@example.org' }])
  })

  test('goes from inqueue through inprogress to completed, always with one entity_uuid', async () => {
    const { invite, report, clock, sandbox } = await visitSandbox(slow)
    await invite([person('a@example.org')])
    const look = async () => (await report()).payload.data[0]
    await clock.advance(9_999)
    const queued = await look()
    expect(queued).toMatchObject({ issued_status: 'Request inqueue', credential_id: null, certificate_path: '' })
    await clock.advance(1)
    expect(await look()).toMatchObject({ issued_status: 'Request inprogress', issue_date: null })
    await clock.advance(19_999)
    expect(await look()).toMatchObject({ issued_status: 'Request inprogress' })
    await clock.advance(1)
    const issued = await look()
    expect(issued).toMatchObject({ issued_status: 'Request Completed', entity_uuid: queued.entity_uuid })
    expect(issued.credential_id).toMatch(/^\d{4}(-\d{4}){3}$/)
    expect(sandbox.requests()[0]).toMatchObject({
      status: 3,
      credentialId: issued.credential_id,
      entityUuid: issued.entity_uuid,
    })
  })

  test('that is issued has the dates of its course and links to the sandbox', async () => {
    const { invite, report, clock, sandbox } = await visitSandbox(slow)
    await invite([person('a@example.org')], { is_send_certificate_public_link: true })
    await clock.advance(30_000)
    const [item] = (await report()).payload.data
    expect(item).toMatchObject({ request_date: '2026-03-01', issue_date: '2026-03-01', valid_till: '2028-03-01' })
    expect(item.public_verifier_link.startsWith(`${sandbox.url}/`)).toBe(true)
    expect((await fetch(item.public_verifier_link)).status).toBe(200)
  })

  test.each([
    ['does not mention it', {}],
    ['wants none', { is_send_certificate_public_link: false }],
  ])('has no public link if its invitation %s, until somebody creates one in the portal', async (_, flags) => {
    const { invite, report, clock, sandbox } = await visitSandbox(slow)
    await invite([person('a@example.org')], flags)
    await clock.advance(30_000)
    const look = async () => (await report()).payload.data[0]
    const { credential_id, public_verifier_link } = await look()
    expect(public_verifier_link).toBeNull()
    expect((await fetch(`${sandbox.url}/sandbox/verify/${credential_id}`)).status).toBe(404)
    sandbox.publish(credential_id)
    expect((await fetch((await look()).public_verifier_link)).status).toBe(200)
  })
})

describe('the end of a request', () => {
  test('is rejected or failed for e-mails that request it, without an id', async () => {
    const { invite, report, clock } = await visitSandbox(slow)
    await invite([person('reject.me@example.org'), person('Fail.me@example.org'), person('rejected@example.org')])
    await clock.advance(30_000)
    const { data } = (await report({}, { sortBy: 'request_date', sortOrder: 'asc' })).payload
    expect(data).toMatchObject([
      { issued_status: 'Request rejected', credential_id: null, certificate_path: '', valid_till: null },
      { issued_status: 'Request failed', credential_id: null, public_verifier_link: null },
      { issued_status: 'Request Completed' },
    ])
  })

  test('shows another person for an e-mail that requests it', async () => {
    const { invite, report, clock } = await visitSandbox(slow)
    await invite([person('Hold.me@example.org')])
    await clock.advance(30_000)
    const [item] = (await report()).payload.data
    expect(item).toMatchObject({ lname: 'Somebody-Else', email_: 'Hold.me@example.org' })
    expect(item.name).toContain('Somebody-Else')
  })

  test('follows the shares, and the seed makes it repeatable', async () => {
    const ends = async (seed: string) => {
      const { invite, sandbox, clock } = await visitSandbox({ ...slow, seed, rejectShare: 0.2, failShare: 0.1 })
      await invite(Array.from({ length: 400 }, (_, n) => person(`p${n}@example.org`)))
      await clock.advance(30_000)
      return sandbox.requests().map(({ status, entityUuid }) => `${status} ${entityUuid}`)
    }
    const once = await ends('one')
    expect(await ends('one')).toEqual(once)
    expect(await ends('two')).not.toEqual(once)
    const count = (status: string) => once.filter((each) => each.startsWith(status)).length
    // 400 draws: four standard deviations around 80 and 40.
    expect(Math.abs(count('4') - 80)).toBeLessThan(32)
    expect(Math.abs(count('7') - 40)).toBeLessThan(24)
    expect(count('3')).toBe(400 - count('4') - count('7'))
  })
})
