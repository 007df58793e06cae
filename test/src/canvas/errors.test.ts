// What each answer of a Canvas means that is none.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { CanvasError } from '#src/canvas/canvas-error.ts'
import { readAnswer } from '#src/canvas/read-answer.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { clientOf, openSiteAndClient } from './connected.ts'

const now = new Date('2026-11-21T12:00:00Z')
const challenge = { 'www-authenticate': 'Bearer realm="canvas-lms"' }

function errorOf(status: number, text: string, headers: Record<string, string> = {}): CanvasError {
  try {
    readAnswer('the course', { kind: 'answer', status, headers, text }, now)
  } catch (error) {
    return error as CanvasError
  }
  throw new Error('The answer was taken.')
}

test.each<[string, number, string, Record<string, string>, string]>([
  ['a token that is refused', 401, '{"errors":[{"message":"Invalid access token."}]}', challenge, 'refused'],
  ['a right that is missed', 401, '{"status":"unauthorized"}', {}, 'forbidden'],
  ['a right that is missed, as newer ones say', 403, '{"status":"unauthorized"}', {}, 'forbidden'],
  ['too many questions', 403, '403 Forbidden (Rate Limit Exceeded)\n', {}, 'away'],
  ['too many questions, as newer ones say', 429, '429 Too Many Requests (Rate Limit Exceeded)\n', {}, 'away'],
  ['nothing of that name', 404, '{"errors":[]}', {}, 'record'],
  ['a question that makes no sense', 400, '{}', {}, 'record'],
  ['a fault of its own', 500, '{"errors":[]}', {}, 'away'],
  ['a gateway', 502, '<html>', {}, 'away'],
  ['another address', 302, '', { location: 'https://elsewhere' }, 'away'],
  ['a page in place of JSON', 200, '<html>Sign in</html>', {}, 'away'],
])('%s', (_, status, text, headers, fault) => {
  expect(errorOf(status, text, headers)).toMatchObject({ name: 'CanvasError', fault, status })
})

test('Retry-After is heeded', () => {
  expect(errorOf(429, '', { 'retry-after': '120' }).retryAfterMs).toBe(120_000)
})

describe('the client', () => {
  test('says nothing of the token', async () => {
    const { url } = await openSiteAndClient()
    const refused = clientOf({ url, token: 'planted-token' }).signIn()
    await expect(refused).rejects.toMatchObject({ fault: 'refused', message: expect.not.stringContaining('planted') })
  })

  test('is away where nobody listens', async () => {
    const site = await openSiteAndClient()
    await site.close().catch(() => {})
    await expect(site.canvas.signIn()).rejects.toMatchObject({
      fault: 'away',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('names the place in an answer of another shape, never the value', async () => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('courses', json(200, { id: 'somebody@example.org' }))
    const asked = clientOf({ url: server.url, token: 't' }).course('7')
    await expect(asked).rejects.toMatchObject({
      fault: 'away',
      message: expect.stringMatching(/unexpected answer at id/),
    })
  })

  test('takes its token to no other host, wherever a list goes on', async () => {
    const server = await openScriptedServer()
    const other = await openScriptedServer()
    onTestFinished(() => server.close())
    onTestFinished(() => other.close())
    server.on('columns', json(200, [], { link: `<${other.url}/api/v1/more>; rel="next"` }))
    const asked = clientOf({ url: server.url, token: 't' }).columnTitles('7')
    await expect(asked).rejects.toMatchObject({ fault: 'forbidden', message: expect.stringMatching(/another host/) })
    expect(other.seen).toEqual([])
  })
})
