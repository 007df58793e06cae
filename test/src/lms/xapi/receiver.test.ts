// Authentication, versions and resources of the xAPI receiver, over HTTP.

import { describe, expect, test } from 'vitest'
import { newSender } from '#src/lms/xapi/edition.ts'
import { checkXapiHeaders, openXapi } from '#src/lms/xapi/receiver.ts'
import { steppedClock } from '#test/support/clock.ts'
import { id, sample } from './sample-statement.ts'
import { rows, sendRequest, serveForEach, usualHeaders } from './serve-receiver.ts'

serveForEach()

describe('the resource /about', () => {
  test('returns the versions to everyone', async () => {
    const answer = await sendRequest('GET', '/about', undefined, {})
    expect(answer).toMatchObject({ status: 200, json: { version: ['1.0.3', '2.0.0'] } })
    expect(answer.headers.get('x-experience-api-version')).toBe('1.0.3')
    expect(await sendRequest('HEAD', '/about', undefined, {})).toMatchObject({ status: 200, text: '' })
    expect(answer.headers.get('content-type')).toBe('application/json')
    expect(answer.headers.get('x-experience-api-consistent-through')).toBeNull()
    const wrong = await sendRequest('POST', '/about', '{}', {})
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
    expect((await sendRequest('GET', '/about?foo=bar', undefined, {})).status).toBe(400)
  })
})

describe('the version', () => {
  test.each([
    ['1.0', '1.0.3'],
    ['1.0.1', '1.0.3'],
    ['2.0.0', '2.0.0'],
    ['2.0', '2.0.0'],
  ])('%s gets a response in %s', async (version, answerVersion) => {
    const answer = await sendRequest('POST', '/statements', [], {
      ...usualHeaders,
      'x-experience-api-version': version,
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-experience-api-version')).toBe(answerVersion)
  })

  test.each(['0.95', '1.1.0', '3.0.0', 'x', ''])('%j is refused', async (version) => {
    const answer = await sendRequest('POST', '/statements', [], {
      ...usualHeaders,
      'x-experience-api-version': version,
    })
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('X-Experience-API-Version') } })
    expect(answer.headers.get('x-experience-api-version')).toBe('1.0.3')
  })

  test('is required, and a response to a request without a version has the version that the sender used before', async () => {
    const { 'x-experience-api-version': _, ...headersWithoutVersion } = usualHeaders
    async function versionWithoutHeader() {
      const answer = await sendRequest('GET', `/statements?statementId=${id}`, undefined, headersWithoutVersion)
      expect(answer.status).toBe(400)
      return answer.headers.get('x-experience-api-version')
    }
    const sendWithVersion = (version: string, more: object = {}) =>
      sendRequest('POST', '/statements', [], { ...usualHeaders, 'x-experience-api-version': version, ...more })
    // Only 1.0.3 requires such a request to be refused.
    expect(await versionWithoutHeader()).toBe('1.0.3')
    await sendWithVersion('2.0.0', { authorization: 'Basic x' })
    expect(await versionWithoutHeader()).toBe('1.0.3')
    await sendWithVersion('2.0.0')
    expect(await versionWithoutHeader()).toBe('2.0.0')
    await sendWithVersion('1.0.1')
    expect(await versionWithoutHeader()).toBe('1.0.3')
  })
})

test('unauthenticated requests are rejected, and nothing from them is stored', async () => {
  for (const authorization of ['', 'Basic:x', `Basic ${Buffer.from('moodle:wrong').toString('base64')}`]) {
    const answer = await sendRequest('POST', '/statements', sample(), { ...usualHeaders, authorization })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
  }
  expect(
    (await sendRequest('GET', '/activities/state', undefined, { ...usualHeaders, authorization: '' })).status,
  ).toBe(401)
  expect(rows.size).toBe(0)
})

test.each([
  '/activities/state',
  '/activities/profile',
  '/agents/profile',
  '/activities',
  '/agents',
  '/statements/',
  '/',
])('%s does not exist', async (path) => {
  expect(await sendRequest('GET', path)).toMatchObject({
    status: 404,
    json: { error: expect.stringContaining('not a learning record store') },
  })
})

test('a statement is never deleted', async () => {
  const answer = await sendRequest('DELETE', `/statements?statementId=${id}`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PUT')
})

test.each(['/activities', '/agents'])('%s is read-only for every caller', async (path) => {
  const { authorization: _, ...anonymous } = usualHeaders
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await sendRequest(method, path, undefined, anonymous)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  }
})

describe('without a web server', () => {
  const fail = () => Promise.reject(new Error('The disk is full.'))
  const parts = {
    authenticate: (given: string | undefined) => given === usualHeaders.authorization,
    sender: { ...newSender },
    store: { keep: fail, find: fail },
    newId: () => id,
    clock: steppedClock(),
  }
  const sent = { method: 'POST', path: '/statements', query: new URLSearchParams(), headers: usualHeaders }
  const receive = (request: object, body = '[]') => openXapi(parts)({ ...sent, ...request, body: Buffer.from(body) })

  test('a failure of the store is thrown, so that the web server reports it', async () => {
    await expect(receive({}, JSON.stringify(sample()))).rejects.toThrow('The disk is full.')
    expect(await receive({})).toMatchObject({ status: 200, body: '[]' })
  })

  test.each(['x', 'xDELETE', 'DELETEx', 'DELETEDELETE', 'delete'])('the method %s is not repeated', async (method) => {
    expect((await receive({ method })).body).toContain('"This method is not allowed')
    expect((await receive({ method: 'DELETE' })).body).toContain('"DELETE is not allowed')
  })

  test('an answer to HEAD has no body', async () => {
    expect(await receive({ method: 'HEAD', path: '/about' })).toMatchObject({ status: 200, body: '' })
  })

  test('the headers alone prove the sender, refuse the request, or leave it open', () => {
    const check = (request: object) => checkXapiHeaders({ ...sent, ...request }, parts)
    expect(check({})).toEqual({ kind: 'proven' })
    expect(check({ method: 'GET', path: '/about', headers: {} })).toEqual({ kind: 'open' })
    expect(check({ headers: { ...usualHeaders, authorization: 'Basic x' } })).toMatchObject({
      kind: 'refused',
      answer: { status: 401 },
    })
    const form = { ...usualHeaders, authorization: '', 'content-type': 'application/x-www-form-urlencoded' }
    expect(check({ query: new URLSearchParams('method=PUT'), headers: form })).toEqual({ kind: 'open' })
  })
})
