// Reads the lists of an LTI platform: line items, page by page, and the results of one learner.

import { describe, expect, test } from 'vitest'
import { failureOf, link, openClient, scoreAt } from './open-client.ts'

describe('the line items', () => {
  test('are read completely, page by page', async () => {
    const { ags, platform } = await openClient()
    const listed = await ags.lineItems(platform.lineItems)
    expect(listed.map((item) => item.label)).toEqual(platform.behavior.lineItems)
    expect(listed[0]).toEqual({
      url: platform.lineItem,
      label: 'Credential (LTI)',
      scoreMaximum: 100,
    })
  })

  test('are listed with a token that permits nothing else', async () => {
    const { ags, platform } = await openClient()
    await ags.lineItems(platform.lineItems)
    expect(new URLSearchParams(platform.requests[0]?.body).get('scope')).toBe(
      'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
    )
  })

  test.each([
    ['another host on the next page', { headers: { link: '<https://evil.example/next>; rel="next"' }, body: '[]' }],
    [
      'a line item of another host',
      { body: JSON.stringify([{ id: 'https://evil.example/5', label: '', scoreMaximum: 1 }]) },
    ],
  ])('are refused because of %s', async (_, reply) => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /lineitems/, reply: { status: 200, ...reply } }]
    expect(await failureOf(ags.lineItems(platform.lineItems))).toMatchObject({ kind: 'refused' })
  })

  test('of a circular list are read up to a limit', async () => {
    const { ags, platform } = await openClient()
    const reply = { status: 200, headers: { link: '</lineitems?type_id=1>; rel="next"' }, body: '[]' }
    platform.behavior.replacements = Array.from({ length: 500 }, () => ({ request: /lineitems/, reply }))
    expect(await failureOf(ags.lineItems(platform.lineItems))).toMatchObject({
      kind: 'refused',
      sentence: expect.stringContaining('200'),
    })
  })

  test.each([
    ['refused', { status: 403 }],
    ['refused', { status: 404 }],
    ['away', { status: 500 }],
    ['away', { status: 200, body: '<html>' }],
    ['away', { status: 200, body: '{"id":1}' }],
  ])('have the result %s after the response %j', async (kind, reply) => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /lineitems/, reply }]
    expect(await failureOf(ags.lineItems(platform.lineItems))).toMatchObject({ kind })
  })
})

describe('the results', () => {
  test('of one learner are returned as the platform shows them', async () => {
    const { ags, platform } = await openClient()
    await ags.score(platform.lineItem, scoreAt('2026-03-01T11:00:00Z'))
    expect(await ags.results(platform.lineItem, '3')).toEqual([
      {
        userId: '3',
        score: 100,
        maximum: 100,
        comment: `Credential urn:uuid:1234 issued: ${link}`,
        at: new Date('2026-03-01T11:00:00Z'),
      },
    ])
  })

  test('of other learners are omitted if the platform returns all', async () => {
    const { ags, platform } = await openClient()
    await ags.score(platform.lineItem, scoreAt('2026-03-01T11:00:00Z'))
    expect(await ags.results(platform.lineItem, 'a&b')).toEqual([])
    expect(platform.requests.at(-1)?.path).toContain('&user_id=a%26b')
  })

  test.each([401, 403, 404, 405, 501])('are hidden if the platform returns %i', async (status) => {
    const { ags, platform } = await openClient()
    const reply = { status }
    platform.behavior.replacements = [
      { request: /results/, reply },
      { request: /results/, reply },
    ]
    expect(await ags.results(platform.lineItem, '3')).toBeNull()
  })

  test('are empty if the response is empty', async () => {
    const { ags, platform } = await openClient()
    platform.behavior.replacements = [{ request: /results/, reply: { status: 204 } }]
    expect(await ags.results(platform.lineItem, '3')).toEqual([])
  })
})
