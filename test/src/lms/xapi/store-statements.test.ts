// POST and PUT over HTTP, as Moodle, Open edX and other senders use them.

import { describe, expect, test } from 'vitest'
import { capturedRequests } from './captured-requests.ts'
import { attachment, id, openEdx, otherId, sample, withChange } from './sample-statement.ts'
import { credentials, rows, sendRequest, serveForEach, storedAt, usualHeaders } from './serve-receiver.ts'

serveForEach()

describe('POST', () => {
  test('returns exactly 200 and the ids in order, generated if missing', async () => {
    const answer = await sendRequest('POST', '/statements', [sample(), openEdx, sample()])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual([
      '00000000-0000-4000-8000-000000000001',
      openEdx.id,
      '00000000-0000-4000-8000-000000000002',
    ])
    expect([...rows.keys()]).toEqual(answer.json)
    expect(answer.headers.get('x-experience-api-consistent-through')).toBe(storedAt)
  })

  test('accepts a single statement, and an empty list', async () => {
    expect(await sendRequest('POST', '/statements', openEdx)).toMatchObject({ status: 200, json: [openEdx.id] })
    expect(await sendRequest('POST', '/statements', [])).toMatchObject({ status: 200, json: [] })
  })

  test.each(['10-moodle-ok', '17-moodle-202-204-then-replay'])('accepts what a Moodle site sent: %s', async (name) => {
    for (const { headers, body } of capturedRequests(name)) {
      const { 'content-length': _, host: __, ...given } = headers
      const answer = await sendRequest('POST', '/statements', body, { ...given, authorization: credentials })
      expect(answer.status).toBe(200)
      expect(answer.json).toHaveLength(body.length)
    }
  })

  test('stores nothing if one of the statements is invalid', async () => {
    const answer = await sendRequest('POST', '/statements', [openEdx, withChange('actor.mbox', 'ada@example.com')])
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe(
      'statements[1].actor.mbox must be "mailto:" and an e-mail address. ' +
        'Nothing from this request was stored; correct the statement and send it again.',
    )
    expect(rows.size).toBe(0)
  })

  test('refuses a request that contains the same id twice', async () => {
    const repeated = [withChange('id', id), sample(), withChange('id', id.toUpperCase())]
    const answer = await sendRequest('POST', '/statements', repeated)
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('statements[2].id') } })
    expect(rows.size).toBe(0)
  })

  test('accepts the same statement twice, and keeps the first', async () => {
    await sendRequest('POST', '/statements', openEdx)
    const first = new Map(rows)
    expect(
      await sendRequest('POST', '/statements', withChange('verb.display', { de: 'bestanden' }, openEdx)),
    ).toMatchObject({
      status: 200,
    })
    expect(rows).toEqual(first)
  })

  test('refuses another statement with the same id, and its whole request', async () => {
    await sendRequest('POST', '/statements', openEdx)
    const first = new Map(rows)
    const changed = withChange('result.success', false, openEdx)
    const answer = await sendRequest('POST', '/statements', [withChange('id', id), changed])
    expect(answer).toMatchObject({ status: 409, json: { error: expect.stringContaining('of statements[1]. Nothing') } })
    expect(rows).toEqual(first)
    await sendRequest('POST', '/statements', withChange('id', otherId))
    const both = await sendRequest('POST', '/statements', [changed, withChange('id', otherId, openEdx)])
    expect(both.json.error).toContain('of statements[0], statements[1]. Nothing')
  })

  test('refuses an attachment without its file', async () => {
    const { fileUrl: _, ...bare } = attachment
    const answer = await sendRequest('POST', '/statements', withChange('attachments', [bare]))
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('is not included') } })
  })

  test('names the place of a fault in a single statement without a number', async () => {
    const { json } = await sendRequest('POST', '/statements', withChange('actor.mbox', 'ada'))
    expect(json.error).toMatch(/^actor.mbox must be/)
  })

  test('refuses an invalid signature', async () => {
    const usageType = 'http://adlnet.gov/expapi/attachments/signature'
    const answer = await sendRequest('POST', '/statements', withChange('attachments', [{ ...attachment, usageType }]))
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('signature') } })
    expect(rows.size).toBe(0)
  })

  test.each([
    ['a body that is not JSON', '{', usualHeaders],
    ['an unsupported Content-Type', '[]', { ...usualHeaders, 'content-type': 'text/plain' }],
  ])('refuses %s', async (_, body, headers) => {
    expect((await sendRequest('POST', '/statements', body, headers)).status).toBe(400)
  })

  test.each(['?statementId=x', '?method=PUT', '?foo=bar'])('refuses the parameters %s', async (query) => {
    expect((await sendRequest('POST', `/statements${query}`, sample())).status).toBe(400)
    expect(rows.size).toBe(0)
  })
})

describe('PUT', () => {
  test('stores a statement with the id in the URL', async () => {
    expect(await sendRequest('PUT', `/statements?statementId=${id}`, sample())).toMatchObject({ status: 204, text: '' })
    expect((await sendRequest('PUT', `/statements?statementId=${id}`, withChange('id', id))).status).toBe(204)
    expect(
      (await sendRequest('PUT', `/statements?statementId=${id}`, withChange('object.id', 'http://example.com/x')))
        .status,
    ).toBe(409)
    expect([...rows.keys()]).toEqual([id])
  })

  test.each<[string, string, unknown]>([
    ['no id in the URL', '', sample()],
    ['an invalid id in the URL', '?statementId=true', sample()],
    ['two ids in the URL', `?statementId=${id}&statementId=${id}`, sample()],
    ['a misspelled id parameter', `?statementid=${id}`, sample()],
    ['another id in the statement', `?statementId=${id}`, withChange('id', otherId)],
    ['an invalid id in the statement', `?statementId=${id}`, withChange('id', true)],
    ['several statements', `?statementId=${id}`, [sample()]],
  ])('refuses %s', async (_, query, body) => {
    expect((await sendRequest('PUT', `/statements${query}`, body)).status).toBe(400)
    expect(rows.size).toBe(0)
  })
})
