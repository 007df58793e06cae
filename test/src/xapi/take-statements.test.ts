// POST and PUT over HTTP, as Moodle, Open edX and other senders do it.

import { describe, expect, test } from 'vitest'
import { capturedRequests } from './captured.ts'
import { attachment, changed, id, openEdx, otherId, sample } from './sample-statement.ts'
import { ask, credentials, rows, serveForEach, stored, usual } from './served.ts'

serveForEach()

describe('POST', () => {
  test('answers with exactly 200 and the ids in order, made where they were missing', async () => {
    const answer = await ask('POST', '/statements', [sample(), openEdx, sample()])
    expect(answer.status).toBe(200)
    expect(answer.json).toEqual([
      '00000000-0000-4000-8000-000000000001',
      openEdx.id,
      '00000000-0000-4000-8000-000000000002',
    ])
    expect([...rows.keys()]).toEqual(answer.json)
    expect(answer.headers.get('x-experience-api-consistent-through')).toBe(stored)
  })

  test('takes one statement alone, and none', async () => {
    expect(await ask('POST', '/statements', openEdx)).toMatchObject({ status: 200, json: [openEdx.id] })
    expect(await ask('POST', '/statements', [])).toMatchObject({ status: 200, json: [] })
  })

  test.each(['10-moodle-ok', '17-moodle-202-204-then-replay'])('takes what a Moodle sent: %s', async (name) => {
    for (const { headers, body } of capturedRequests(name)) {
      const { 'content-length': _, host: __, ...given } = headers
      const answer = await ask('POST', '/statements', body, { ...given, authorization: credentials })
      expect(answer.status).toBe(200)
      expect(answer.json).toHaveLength(body.length)
    }
  })

  test('stores nothing when one of the statements is bad', async () => {
    const answer = await ask('POST', '/statements', [openEdx, changed('actor.mbox', 'ada@example.com')])
    expect(answer.status).toBe(400)
    expect(answer.json.error).toBe(
      'statements[1].actor.mbox must be "mailto:" and an e-mail address. ' +
        'Nothing of this request was stored; correct the statement and send it again.',
    )
    expect(rows.size).toBe(0)
  })

  test('refuses two equal ids in one request', async () => {
    const twice = [changed('id', id), sample(), changed('id', id.toUpperCase())]
    const answer = await ask('POST', '/statements', twice)
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('statements[2].id') } })
    expect(rows.size).toBe(0)
  })

  test('takes the same statement twice, and keeps the first', async () => {
    await ask('POST', '/statements', openEdx)
    const first = new Map(rows)
    expect(await ask('POST', '/statements', changed('verb.display', { de: 'bestanden' }, openEdx))).toMatchObject({
      status: 200,
    })
    expect(rows).toEqual(first)
  })

  test('refuses another statement under the same id, with all of its request', async () => {
    await ask('POST', '/statements', openEdx)
    const first = new Map(rows)
    const answer = await ask('POST', '/statements', [changed('id', id), changed('result.success', false, openEdx)])
    expect(answer).toMatchObject({ status: 409, json: { error: expect.stringContaining('statements[1]') } })
    expect(rows).toEqual(first)
  })

  test('refuses a signature that says nothing', async () => {
    const usageType = 'http://adlnet.gov/expapi/attachments/signature'
    const answer = await ask('POST', '/statements', changed('attachments', [{ ...attachment, usageType }]))
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('signature') } })
    expect(rows.size).toBe(0)
  })

  test.each([
    ['a body that is no JSON', '{', usual],
    ['a Content-Type that is not asked for', '[]', { ...usual, 'content-type': 'text/plain' }],
  ])('refuses %s', async (_, body, headers) => {
    expect((await ask('POST', '/statements', body, headers)).status).toBe(400)
  })

  test.each(['?statementId=x', '?method=PUT', '?foo=bar'])('refuses the parameters %s', async (query) => {
    expect((await ask('POST', `/statements${query}`, sample())).status).toBe(400)
    expect(rows.size).toBe(0)
  })
})

describe('PUT', () => {
  test('stores a statement under the id of the address', async () => {
    expect(await ask('PUT', `/statements?statementId=${id}`, sample())).toMatchObject({ status: 204, text: '' })
    expect((await ask('PUT', `/statements?statementId=${id}`, changed('id', id))).status).toBe(204)
    expect(
      (await ask('PUT', `/statements?statementId=${id}`, changed('object.id', 'http://example.com/x'))).status,
    ).toBe(409)
    expect([...rows.keys()]).toEqual([id])
  })

  test.each<[string, string, unknown]>([
    ['no id in the address', '', sample()],
    ['a strange id in the address', '?statementId=true', sample()],
    ['two ids in the address', `?statementId=${id}&statementId=${id}`, sample()],
    ['another name for the id', `?statementid=${id}`, sample()],
    ['another id in the statement', `?statementId=${id}`, changed('id', otherId)],
    ['an id that is none in the statement', `?statementId=${id}`, changed('id', true)],
    ['several statements', `?statementId=${id}`, [sample()]],
  ])('refuses %s', async (_, query, body) => {
    expect((await ask('PUT', `/statements${query}`, body)).status).toBe(400)
    expect(rows.size).toBe(0)
  })
})
