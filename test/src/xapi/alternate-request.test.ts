// Requests inside of a form, as 1.0.x has them for old browsers.

import { describe, expect, test } from 'vitest'
import { meantBy } from '#src/xapi/alternate-request.ts'
import { changed, id, openEdx, sample } from './sample-statement.ts'
import { ask, credentials, rows, serveForEach, usual } from './served.ts'

serveForEach()

const type = 'application/x-www-form-urlencoded'
const inForm = { ...usual, 'content-type': type }
const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString()
const content = JSON.stringify(sample())

describe('a form', () => {
  test('puts a statement', async () => {
    const answer = await ask('POST', '/statements?method=PUT', form({ statementId: id, content }), inForm)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect([...rows.keys()]).toEqual([id])
  })

  test('posts several', async () => {
    const both = JSON.stringify([openEdx, changed('id', id)])
    const answer = await ask('POST', '/statements?method=POST', form({ content: both }), inForm)
    expect(answer).toMatchObject({ status: 200, json: [openEdx.id, id] })
  })

  test('gets one', async () => {
    await ask('POST', '/statements', openEdx)
    const answer = await ask('POST', '/statements?method=GET', form({ statementId: String(openEdx.id) }), inForm)
    expect(answer).toMatchObject({ status: 200, json: { id: openEdx.id } })
  })

  test('has its headers inside, and they count more than those outside', async () => {
    const fields = { statementId: id, content, 'X-Experience-API-Version': '1.0.1', Authorization: credentials }
    const bare = { 'content-type': type }
    expect((await ask('POST', '/statements?method=PUT', form(fields), bare)).status).toBe(204)
    const stranger = form({ ...fields, Authorization: 'Basic eDp5' })
    expect((await ask('POST', '/statements?method=PUT', stranger, inForm)).status).toBe(401)
    const foreign = form({ ...fields, 'Content-Type': 'text/plain' })
    expect((await ask('POST', '/statements?method=PUT', foreign, bare)).status).toBe(400)
  })
})

test.each<[string, string, string, string, Record<string, string>]>([
  [
    'in 2.0',
    'POST',
    '?method=PUT',
    form({ statementId: id, content }),
    { ...inForm, 'x-experience-api-version': '2.0.0' },
  ],
  ['that names 2.0', 'POST', '?method=POST', form({ content, 'X-Experience-API-Version': '2.0.0' }), inForm],
  ['that names 0.8', 'POST', '?method=POST', form({ content, 'X-Experience-API-Version': '0.8' }), inForm],
  ['by PUT', 'PUT', '?method=POST', form({ content }), inForm],
  [
    'with parameters in the address',
    'POST',
    `?method=PUT&statementId=${id}`,
    form({ statementId: id, content }),
    inForm,
  ],
  ['with one field twice', 'POST', '?method=POST', `${form({ content })}&${form({ content })}`, inForm],
  ['without content', 'POST', '?method=POST', '', inForm],
  ['that is JSON', 'POST', '?method=POST', content, inForm],
  ['of another type', 'POST', '?method=POST', form({ content }), usual],
  ['with an unknown parameter', 'POST', '?method=POST', form({ content, foo: 'bar' }), inForm],
])('a form %s is refused', async (_, method, query, body, headers) => {
  expect((await ask(method, `/statements${query}`, body, headers)).status).toBe(400)
  expect(rows.size).toBe(0)
})

test('a form of more fields than there are is not looked into, for anybody may send one', () => {
  const body = Buffer.from(Array.from({ length: 51 }, (_, field) => `f${field}=`).join('&'))
  const sent = { method: 'POST', path: '/statements', query: new URLSearchParams('method=PUT'), headers: inForm, body }
  expect(meantBy(sent)).toBe(sent)
  expect(meantBy({ ...sent, body: Buffer.from(form({ content })) })).toMatchObject({ method: 'PUT' })
})
