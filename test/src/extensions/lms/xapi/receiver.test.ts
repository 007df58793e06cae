// What the receiver answers to the requests of Moodle, Open edX and other senders, and to all others.

import { beforeEach, describe, expect, test } from 'vitest'
import {
  answerXapi,
  refuseByHeaders,
  type StatementToStore,
  type XapiParts,
} from '#src/extensions/lms/xapi/receiver.ts'
import { steppedClock } from '#test/support/clock.ts'
import { capturedRequests } from './captured-requests.ts'
import { id, openEdx, otherId, sample, voiding, withChange } from './sample-statement.ts'

const authorization = 'Basic bW9vZGxlOnMzY3JldA=='
const usualHeaders = { authorization, 'x-experience-api-version': '1.0.3', 'content-type': 'application/json' }

let rows: Map<string, StatementToStore>
let parts: XapiParts
beforeEach(() => {
  rows = new Map()
  let idCount = 0
  parts = {
    authenticate: (given) => given === authorization,
    async store(statements) {
      const conflicts = statements.filter(({ id, digest }) => (rows.get(id)?.digest ?? digest) !== digest)
      if (conflicts.length > 0) return conflicts.map(({ id }) => id)
      for (const statement of statements) if (!rows.has(statement.id)) rows.set(statement.id, statement)
      return []
    },
    newId: () => `00000000-0000-4000-8000-${String(++idCount).padStart(12, '0')}`,
    clock: steppedClock(),
  }
})

async function send(
  method: string,
  target: string,
  body: unknown = '',
  headers: Record<string, string | undefined> = usualHeaders,
) {
  const [path = '', query] = target.split('?')
  const head = { method, path, query: new URLSearchParams(query), headers }
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const answer = refuseByHeaders(head, parts) ?? (await answerXapi({ ...head, body: bytes }, parts))
  return { ...answer, json: answer.body === '' ? null : JSON.parse(answer.body) }
}

const versionIn = ({ headers }: { headers: Record<string, string> }) => headers['X-Experience-API-Version']

test('/about names the versions, to everyone', async () => {
  const answer = await send('GET', '/about', '', {})
  expect(answer).toMatchObject({ status: 200, json: { version: ['1.0.3', '2.0.0'] } })
  expect(answer.headers).toEqual({ 'Content-Type': 'application/json', 'X-Experience-API-Version': '1.0.3' })
  expect(await send('HEAD', '/about', '', {})).toMatchObject({ status: 200, body: '' })
  expect(await send('POST', '/about', '{}', {})).toMatchObject({ status: 405, headers: { Allow: 'GET, HEAD' } })
})

describe('the version', () => {
  test.each([
    ['1.0', '1.0.3'],
    ['1.0.1', '1.0.3'],
    ['2.0.0', '2.0.0'],
    ['2.0', '2.0.0'],
  ])('%s gets an answer in %s', async (version, answered) => {
    const answer = await send('POST', '/statements', [], { ...usualHeaders, 'x-experience-api-version': version })
    expect([answer.status, versionIn(answer)]).toEqual([200, answered])
  })

  test.each(['0.95', '1.1.0', '3.0.0', '1.0.3 ', 'x', '', undefined])('%j is refused', async (version) => {
    const answer = await send('POST', '/statements', [], { ...usualHeaders, 'x-experience-api-version': version })
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('X-Experience-API-Version') } })
    expect(versionIn(answer)).toBe('1.0.3')
  })
})

test.each(['', 'Basic:x', 'Basic bW9vZGxlOndyb25n'])('a sender is refused as %j', async (authorization) => {
  for (const path of ['/statements', '/activities/state']) {
    const answer = await send('POST', path, sample, { ...usualHeaders, authorization })
    expect(answer).toMatchObject({ status: 401, headers: { 'WWW-Authenticate': 'Basic realm="xAPI"' } })
  }
  expect(rows.size).toBe(0)
})

describe('a request is refused in words', () => {
  const form = 'application/x-www-form-urlencoded'
  test.each<[string, string, string, Record<string, string>, number, string]>([
    ['that reads a statement', 'GET', `/statements?statementId=${id}`, {}, 405, 'not a learning record store'],
    ['that lists statements', 'GET', '/statements?limit=1', {}, 405, 'returns none'],
    ['that deletes a statement', 'DELETE', '/statements', {}, 405, 'Only POST and PUT are allowed'],
    ['for a document', 'PUT', '/activities/state?stateId=x', {}, 404, 'serves only /statements and /about'],
    ['for an activity', 'GET', '/activities', {}, 404, 'serves only /statements and /about'],
    ['in a form', 'POST', '/statements?method=PUT', { 'content-type': form }, 400, 'in a form (?method=)'],
    ['with attachments', 'POST', '/statements', { 'content-type': 'multipart/mixed; boundary=x' }, 400, 'Attachments'],
    ['without a type', 'POST', '/statements', { 'content-type': '' }, 400, 'must be application/json'],
    ['with an unknown parameter', 'POST', '/statements?foo=1', {}, 400, 'no parameters'],
    ['that puts no id', 'PUT', '/statements', {}, 400, 'needs the parameter statementId'],
    ['that puts an invalid id', 'PUT', '/statements?statementId=1', {}, 400, 'needs the parameter statementId'],
    ['that puts two ids', 'PUT', `/statements?statementId=${id}&statementId=${id}`, {}, 400, 'and no other'],
    ['with a misspelled id', 'PUT', `/statements?statementid=${id}`, {}, 400, 'needs the parameter statementId'],
  ])('%s', async (_, method, target, headers, status, sentence) => {
    const answer = await send(method, target, sample, { ...usualHeaders, ...headers })
    expect(answer).toMatchObject({ status, json: { error: expect.stringContaining(sentence) } })
    expect(rows.size).toBe(0)
  })

  test.each(['{', '', '\ud800', `${'['.repeat(101)}${']'.repeat(101)}`, '"x"'])('whose body is %j', async (body) => {
    expect(await send('POST', '/statements', body)).toMatchObject({ status: 400 })
  })
})

describe('POST', () => {
  test('returns exactly 200 and the ids in order, generated if missing', async () => {
    const answer = await send('POST', '/statements', [sample, openEdx, sample])
    const ids = ['00000000-0000-4000-8000-000000000001', openEdx.id, '00000000-0000-4000-8000-000000000002']
    expect(answer).toMatchObject({ status: 200, json: ids })
    expect([...rows.keys()]).toEqual(ids)
    expect(answer.headers['X-Experience-API-Consistent-Through']).toBe(steppedClock().now().toISOString())
  })

  test('accepts a single statement, and an empty list', async () => {
    expect(await send('POST', '/statements', openEdx)).toMatchObject({ status: 200, json: [openEdx.id] })
    expect(await send('POST', '/statements', [])).toMatchObject({ status: 200, json: [] })
  })

  test.each(['10-moodle-ok', '17-moodle-202-204-then-replay'])('accepts what a Moodle site sent: %s', async (name) => {
    for (const { headers, body } of capturedRequests(name))
      expect(await send('POST', '/statements', body, { ...headers, authorization })).toMatchObject({
        status: 200,
        json: body.map(() => expect.any(String)),
      })
  })

  test('stores nothing if one of the statements is invalid', async () => {
    const answer = await send('POST', '/statements', [openEdx, withChange('actor.mbox', 'ada@example.com')])
    expect([answer.status, answer.json.error]).toEqual([
      400,
      'statements[1].actor.mbox must be "mailto:" and an e-mail address. ' +
        'Nothing from this request was stored; correct the statement and send it again.',
    ])
    expect(rows.size).toBe(0)
  })

  test('refuses a request that contains the same id twice', async () => {
    const repeated = [withChange('id', id), sample, withChange('id', id.toUpperCase())]
    const answer = await send('POST', '/statements', repeated)
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('statements[2].id') } })
    expect(rows.size).toBe(0)
  })

  test('accepts the same statement twice, and keeps the first', async () => {
    await send('POST', '/statements', openEdx)
    const first = new Map(rows)
    const renamed = withChange('verb.display', { de: 'bestanden' }, openEdx)
    expect(await send('POST', '/statements', renamed)).toMatchObject({ status: 200, json: [openEdx.id] })
    expect(rows).toEqual(first)
  })

  test('refuses another statement with the same id, and its whole request', async () => {
    await send('POST', '/statements', openEdx)
    const first = new Map(rows)
    const changed = withChange('result.success', false, openEdx)
    const answer = await send('POST', '/statements', [withChange('id', id), changed])
    expect(answer).toMatchObject({ status: 409, json: { error: expect.stringContaining('of statements[1]. Nothing') } })
    expect(rows).toEqual(first)
  })

  test('stores what was sent, a time if there is none, every digit, and what is voided', async () => {
    await send('POST', '/statements', [withChange('id', otherId.toUpperCase(), voiding), openEdx])
    await send('POST', '/statements', `{"context":{"x":21070000000000123},${JSON.stringify(sample).slice(1)}`)
    const [first, second, third] = [...rows.values()]
    const { stored: _, ...body } = JSON.parse(first?.body ?? '')
    expect(first).toMatchObject({ id: otherId, voids: id })
    expect(body).toEqual({ ...voiding, id: otherId.toUpperCase(), timestamp: steppedClock().now().toISOString() })
    expect([second?.voids, JSON.parse(second?.body ?? '')]).toEqual([null, openEdx])
    expect(third?.body).toContain('"21070000000000123"')
  })

  test('throws if nothing can be stored, so that the web server says so', async () => {
    parts.store = () => Promise.reject(new Error('The disk is full.'))
    await expect(send('POST', '/statements', sample)).rejects.toThrow('The disk is full.')
  })
})

describe('PUT', () => {
  const target = `/statements?statementId=${id}`

  test('stores a statement with the id in the URL', async () => {
    expect(await send('PUT', target, sample)).toMatchObject({ status: 204, body: '' })
    expect((await send('PUT', target, withChange('id', id.toUpperCase()))).status).toBe(204)
    expect((await send('PUT', target, withChange('object.id', 'http://example.com/x'))).status).toBe(409)
    expect([...rows.keys()]).toEqual([id])
  })

  test.each<[string, unknown]>([
    ['another id in the statement', withChange('id', otherId)],
    ['an invalid id in the statement', withChange('id', true)],
    ['several statements', [sample]],
  ])('refuses %s', async (_, body) => {
    expect((await send('PUT', target, body)).status).toBe(400)
    expect(rows.size).toBe(0)
  })
})
