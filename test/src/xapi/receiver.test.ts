// Who is answered, in which version, and at which addresses.

import { describe, expect, test } from 'vitest'
import { openXapi } from '#src/xapi/receiver.ts'
import { steppedClock } from '#test/support/clock.ts'
import { id, sample } from './sample-statement.ts'
import { ask, rows, serveForEach, usual } from './served.ts'

serveForEach()

describe('the address /about', () => {
  test('tells the versions to everybody', async () => {
    const answer = await ask('GET', '/about', undefined, {})
    expect(answer).toMatchObject({ status: 200, json: { version: ['1.0.3', '2.0.0'] } })
    expect(answer.headers.get('x-experience-api-version')).toBe('2.0.0')
    expect(await ask('HEAD', '/about', undefined, {})).toMatchObject({ status: 200, text: '' })
    expect((await ask('POST', '/about', '{}', {})).status).toBe(405)
    expect((await ask('GET', '/about?foo=bar', undefined, {})).status).toBe(400)
  })
})

describe('the version', () => {
  test.each([
    ['1.0', '1.0.3'],
    ['1.0.1', '1.0.3'],
    ['2.0.0', '2.0.0'],
    ['2.0', '2.0.0'],
  ])('%s is answered in %s', async (version, answered) => {
    const answer = await ask('POST', '/statements', [], { ...usual, 'x-experience-api-version': version })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-experience-api-version')).toBe(answered)
  })

  test.each(['0.95', '1.1.0', '3.0.0', 'x', ''])('%j is refused', async (version) => {
    const answer = await ask('POST', '/statements', [], { ...usual, 'x-experience-api-version': version })
    expect(answer).toMatchObject({ status: 400, json: { error: expect.stringContaining('X-Experience-API-Version') } })
    expect(answer.headers.get('x-experience-api-version')).toBe('2.0.0')
  })

  test('must be told', async () => {
    const { 'x-experience-api-version': _, ...without } = usual
    expect((await ask('GET', `/statements?statementId=${id}`, undefined, without)).status).toBe(400)
  })
})

test('strangers are sent away, and nothing of them is stored', async () => {
  for (const authorization of ['', 'Basic:x', `Basic ${Buffer.from('moodle:wrong').toString('base64')}`]) {
    const answer = await ask('POST', '/statements', sample(), { ...usual, authorization })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Basic')
  }
  expect((await ask('GET', '/activities/state', undefined, { ...usual, authorization: '' })).status).toBe(401)
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
])('%s is not there', async (path) => {
  expect(await ask('GET', path)).toMatchObject({
    status: 404,
    json: { error: expect.stringContaining('no learning record store') },
  })
})

test('a statement is never deleted', async () => {
  const answer = await ask('DELETE', `/statements?statementId=${id}`)
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toBe('GET, HEAD, POST, PUT')
})

test.each(['/activities', '/agents'])('%s is for reading alone, whoever asks', async (path) => {
  const { authorization: _, ...anonymous } = usual
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = await ask(method, path, undefined, anonymous)
    expect(answer.status).toBe(405)
    expect(answer.headers.get('allow')).toBe('GET, HEAD')
  }
})

test('a store that fails is no answer: the web server says so', async () => {
  const fail = () => Promise.reject(new Error('The disk is full.'))
  const receive = openXapi({
    authenticate: () => true,
    store: { keep: fail, find: fail },
    newId: () => id,
    clock: steppedClock(),
  })
  const body = Buffer.from(JSON.stringify(sample()))
  const request = { method: 'POST', path: '/statements', query: new URLSearchParams(), headers: usual, body }
  await expect(receive(request)).rejects.toThrow('The disk is full.')
})
