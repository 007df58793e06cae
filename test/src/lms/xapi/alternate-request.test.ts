// Requests in the alternate syntax, where a form contains the whole request, as xAPI 1.0.x allows for old browsers.

import { describe, expect, test } from 'vitest'
import { requestInForm } from '#src/lms/xapi/alternate-request.ts'
import { id, openEdx, sample, withChange } from './sample-statement.ts'
import { credentials, rows, sendRequest, serveForEach, usualHeaders } from './serve-receiver.ts'

serveForEach()

const type = 'application/x-www-form-urlencoded'
const formHeaders = { ...usualHeaders, 'content-type': type }
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const content = JSON.stringify(sample())

describe('a form', () => {
  test('can PUT a statement', async () => {
    const answer = await sendRequest('POST', '/statements?method=PUT', form({ statementId: id, content }), formHeaders)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect([...rows.keys()]).toEqual([id])
  })

  test('can POST several statements', async () => {
    const statements = JSON.stringify([openEdx, withChange('id', id)])
    const answer = await sendRequest('POST', '/statements?method=POST', form({ content: statements }), formHeaders)
    expect(answer).toMatchObject({ status: 200, json: [openEdx.id, id] })
  })

  test('can GET a statement', async () => {
    await sendRequest('POST', '/statements', openEdx)
    const answer = await sendRequest(
      'POST',
      '/statements?method=GET',
      form({ statementId: String(openEdx.id) }),
      formHeaders,
    )
    expect(answer).toMatchObject({ status: 200, json: { id: openEdx.id } })
  })

  test('may contain headers, which override those of the HTTP request', async () => {
    const fields = { statementId: id, content, 'X-Experience-API-Version': '1.0.1', Authorization: credentials }
    const bare = { 'content-type': type }
    expect((await sendRequest('POST', '/statements?method=PUT', form(fields), bare)).status).toBe(204)
    const wrongCredentials = form({ ...fields, Authorization: 'Basic eDp5' })
    expect((await sendRequest('POST', '/statements?method=PUT', wrongCredentials, formHeaders)).status).toBe(401)
    const plainText = form({ ...fields, 'Content-Type': 'text/plain' })
    expect((await sendRequest('POST', '/statements?method=PUT', plainText, bare)).status).toBe(400)
  })
})

test.each<[string, string, string, string, Record<string, string>]>([
  [
    'in 2.0',
    'POST',
    '?method=PUT',
    form({ statementId: id, content }),
    { ...formHeaders, 'x-experience-api-version': '2.0.0' },
  ],
  ['that names 2.0', 'POST', '?method=POST', form({ content, 'X-Experience-API-Version': '2.0.0' }), formHeaders],
  ['that names 0.8', 'POST', '?method=POST', form({ content, 'X-Experience-API-Version': '0.8' }), formHeaders],
  ['by PUT', 'PUT', '?method=POST', form({ content }), formHeaders],
  [
    'with parameters in the address',
    'POST',
    `?method=PUT&statementId=${id}`,
    form({ statementId: id, content }),
    formHeaders,
  ],
  ['with one field twice', 'POST', '?method=POST', `${form({ content })}&${form({ content })}`, formHeaders],
  ['without content', 'POST', '?method=POST', '', formHeaders],
  ['that is JSON', 'POST', '?method=POST', content, formHeaders],
  ['of another type', 'POST', '?method=POST', form({ content }), usualHeaders],
  ['with an unknown parameter', 'POST', '?method=POST', form({ content, foo: 'bar' }), formHeaders],
])('a form %s is refused', async (_, method, query, body, headers) => {
  expect((await sendRequest(method, `/statements${query}`, body, headers)).status).toBe(400)
  expect(rows.size).toBe(0)
})

test('a form may contain every header of a request', async () => {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': '9', 'If-Match': '*', 'If-None-Match': '*' }
  const body = form({ statementId: id, content, ...headers })
  expect((await sendRequest('POST', '/statements?method=PUT', body, formHeaders)).status).toBe(204)
})

test('a form with too many fields is not parsed, because the sender is not authenticated yet', () => {
  const fields = (count: number) => Buffer.from(Array.from({ length: count }, (_, n) => `f${n}=`).join('&'))
  const sent = {
    method: 'POST',
    path: '/statements',
    query: new URLSearchParams('method=PUT'),
    headers: formHeaders,
    body: fields(51),
  }
  expect(requestInForm(sent)).toBe(sent)
  expect(requestInForm({ ...sent, body: fields(50) })).toMatchObject({ method: 'PUT' })
  expect(requestInForm({ ...sent, body: Buffer.from(form({ content })) })).toMatchObject({ method: 'PUT' })
})
