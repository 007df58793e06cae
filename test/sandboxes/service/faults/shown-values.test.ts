// Tests the faults in the values that the report shows for a request.

import { describe, expect, test } from 'vitest'
import { people, visitCore } from '#test/sandboxes/service/core-visitor.ts'

const instant = { pace: { queueMs: 0, progressMs: 0 } }
const day = 86_400_000

describe('a null entity_uuid', () => {
  test('is shown for its time after the request appears, and then replaced by the id', async () => {
    const faults = { nullEntityUuid: { share: 1, forMs: 1_000 } }
    const { core, invite, rows, clock } = await visitCore({ reportLagMs: 500, faults })
    await invite('a@example.org')
    await clock.advance(1_499)
    expect(await rows()).toMatchObject([{ entity_uuid: null, email_: 'a@example.org' }])
    await clock.advance(1)
    expect(await rows()).toMatchObject([{ entity_uuid: core.requests()[0]?.entityUuid }])
  })
})

describe('another spelling', () => {
  test('of e-mails changes case and outer spaces and nothing else, and is the same in every reading', async () => {
    const { invite, rows } = await visitCore({ faults: { spelling: { emails: 1 } } })
    const sent = people(60)
    await invite(...sent)
    const shown = (await rows()).map(({ email_ }) => email_ as string)
    expect(shown.filter((email, index) => email === sent[index])).toEqual([])
    expect(shown.map((email) => email.trim().toLowerCase())).toEqual(sent)
    expect(shown.some((email) => email !== email.trim())).toBe(true)
    expect(shown.some((email) => email !== email.toLowerCase())).toBe(true)
    expect((await rows()).map(({ email_ }) => email_)).toEqual(shown)
    expect((await rows()).every(({ name }) => name === 'Ada Lovelace')).toBe(true)
  })

  test('of names keeps their letters', async () => {
    const { invite, rows } = await visitCore({ faults: { spelling: { names: 1 } } })
    await invite(...people(60))
    const shown = await rows()
    const plain = (text: string) => text.toLowerCase().replace(/ +/g, ' ').trim()
    expect(shown.filter(({ name }) => name === 'Ada Lovelace')).toEqual([])
    expect(new Set(shown.map(({ name, fname, lname }) => [name, fname, lname].map(plain).join()))).toEqual(
      new Set(['ada lovelace,ada,lovelace']),
    )
    expect(shown.some(({ name }) => name.includes('  '))).toBe(true)
    expect(shown[0].email_).toBe('p0@example.org')
  })

  test('affects only its share, and a search by e-mail still finds', async () => {
    const { invite, rows } = await visitCore({ faults: { spelling: { emails: 0.25 } } })
    const sent = people(400)
    await invite(...sent)
    const changed = (await rows()).filter(({ email_ }, index) => email_ !== sent[index])
    expect(Math.abs(changed.length - 100)).toBeLessThan(35)
    expect(await rows({ email_: changed[0].email_.trim().toLowerCase() })).toEqual([changed[0]])
  })
})

describe('a status that goes backwards', () => {
  test('shows completed as in progress, without the fields of an issued credential, in some readings', async () => {
    const { core, invite, rows } = await visitCore({ ...instant, faults: { backwards: { share: 0.5 } } })
    await invite('a@example.org')
    const looks: string[] = []
    for (let look = 0; look < 40; look++) {
      const [{ issued_status, credential_id }] = await rows()
      expect(credential_id === null).toBe(issued_status !== 'Request Completed')
      looks.push(issued_status)
    }
    expect(new Set(looks)).toEqual(new Set(['Request Completed', 'Request inprogress']))
    const turns = looks.filter((look, index) => index > 0 && look !== looks[index - 1])
    expect(turns.length).toBeGreaterThan(5)
    expect(core.requests()[0]?.status).toBe(3)
  })

  test('leaves other final states unchanged', async () => {
    const { invite, rows } = await visitCore({ ...instant, faults: { backwards: { share: 1 } } })
    await invite('reject.me@example.org', 'fail.me@example.org', 'a@example.org')
    const shown = (await rows()).map(({ issued_status }) => issued_status)
    expect(shown).toEqual(['Request rejected', 'Request failed', 'Request inprogress'])
  })
})

describe("the service's clock", () => {
  test.each([
    ['a day early', -day, '2026-02-28'],
    ['a day late', day, '2026-03-02'],
    ['thirteen hours east', 13 * 3_600_000, '2026-03-02'],
    ['five hours west, which at noon is the same day', -5 * 3_600_000, '2026-03-01'],
  ])('writes dates that are %s', async (_case, clockOffMs, expected) => {
    const { core, invite, rows } = await visitCore({ ...instant, faults: { clockOffMs } })
    await invite('a@example.org')
    expect(await rows()).toMatchObject([{ request_date: expected, issue_date: expected }])
    expect(core.requests()[0]?.at).toEqual(new Date('2026-03-01T12:00:00Z'))
  })

  test('that is rolled back does not change the report’s order by date', async () => {
    const { core, invite, rows } = await visitCore()
    await invite('first@example.org')
    core.injectFaults({ clockOffMs: -day })
    await invite('second@example.org')
    expect((await rows()).map(({ request_date }) => request_date)).toEqual(['2026-02-28', '2026-03-01'])
  })
})
