// The lists that a platform shows: line items page by page, and the results of one learner.

import { describe, expect, test } from 'vitest'
import { link, opened, scoreAt } from './opened.ts'

describe('the line items', () => {
  test('come whole, page by page', async () => {
    const { ags, platform } = await opened()
    const listed = await ags.lineItems(platform.lineItems)
    expect(listed).toMatchObject({ kind: 'items' })
    expect(listed.kind === 'items' && listed.items.map((each) => each.label)).toEqual(platform.knobs.lineItems)
    expect(listed.kind === 'items' && listed.items[0]).toEqual({
      url: platform.lineItem,
      label: 'Credential (LTI)',
      scoreMaximum: 100,
      resourceLinkId: '1',
      resourceId: '',
      tag: '',
    })
  })

  test('are listed with a token that can do nothing else', async () => {
    const { ags, platform } = await opened()
    await ags.lineItems(platform.lineItems)
    expect(new URLSearchParams(platform.arrived[0]?.body).get('scope')).toBe(
      'https://purl.imsglobal.org/spec/lti-ags/scope/lineitem.readonly',
    )
  })

  test.each([
    ['another host on the next page', { headers: { link: '<https://evil.example/next>; rel="next"' }, body: '[]' }],
    [
      'a line item of another host',
      { body: JSON.stringify([{ id: 'https://evil.example/5', label: '', scoreMaximum: 1 }]) },
    ],
  ])('take no token to %s', async (_, reply) => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /lineitems/, reply: { status: 200, ...reply } }]
    expect(await ags.lineItems(platform.lineItems)).toMatchObject({ kind: 'refused' })
  })

  test('of a list that goes round in a circle end', async () => {
    const { ags, platform } = await opened()
    const reply = { status: 200, headers: { link: '</lineitems?type_id=1>; rel="next"' }, body: '[]' }
    platform.knobs.instead = Array.from({ length: 500 }, () => ({ of: /lineitems/, reply }))
    expect(await ags.lineItems(platform.lineItems)).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('200'),
    })
  })

  test.each([
    [{ status: 403 }, 'refused'],
    [{ status: 404 }, 'refused'],
    [{ status: 500 }, 'later'],
    [{ status: 200, body: '<html>' }, 'later'],
    [{ status: 200, body: '{"id":1}' }, 'later'],
  ])('after %j are %s', async (reply, kind) => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /lineitems/, reply }]
    expect(await ags.lineItems(platform.lineItems)).toMatchObject({ kind })
  })
})

describe('the results', () => {
  test('of one learner come as the platform shows them', async () => {
    const { ags, platform } = await opened()
    await ags.score(platform.lineItem, scoreAt('2026-03-01T11:00:00Z'))
    expect(await ags.results(platform.lineItem, '3')).toEqual({
      kind: 'results',
      results: [
        {
          userId: '3',
          score: 100,
          maximum: 100,
          comment: `Credential urn:uuid:1234 issued: ${link}`,
          at: new Date('2026-03-01T11:00:00Z'),
        },
      ],
    })
  })

  test('of others are left out where the platform shows all', async () => {
    const { ags, platform } = await opened()
    await ags.score(platform.lineItem, scoreAt('2026-03-01T11:00:00Z'))
    expect(await ags.results(platform.lineItem, 'a&b')).toEqual({ kind: 'results', results: [] })
    expect(platform.arrived.at(-1)?.path).toContain('&user_id=a%26b')
  })

  test.each([401, 403, 404, 405, 501])('are hidden when the platform answers %i', async (status) => {
    const { ags, platform } = await opened()
    const reply = { status }
    platform.knobs.instead = [
      { of: /results/, reply },
      { of: /results/, reply },
    ]
    expect(await ags.results(platform.lineItem, '3')).toEqual({ kind: 'hidden' })
  })

  test('are none where the answer is empty', async () => {
    const { ags, platform } = await opened()
    platform.knobs.instead = [{ of: /results/, reply: { status: 204 } }]
    expect(await ags.results(platform.lineItem, '3')).toEqual({ kind: 'results', results: [] })
  })
})
