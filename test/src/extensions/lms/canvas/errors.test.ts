// The classification of every error response from Canvas.

import { describe, expect, onTestFinished, test } from 'vitest'
import type { CanvasError } from '#src/extensions/lms/canvas/canvas-error.ts'
import { readCanvasResponse } from '#src/extensions/lms/canvas/read-response.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'
import { clientOf, openSiteAndClient } from './open-site-and-client.ts'

const now = new Date('2026-11-21T12:00:00Z')
const challenge = { 'www-authenticate': 'Bearer realm="canvas-lms"' }

function errorOf(status: number, text: string, headers: Record<string, string> = {}): CanvasError {
  try {
    readCanvasResponse('the course', { kind: 'answer', status, headers, text }, now)
  } catch (error) {
    return error as CanvasError
  }
  throw new Error('The response was accepted.')
}

test.each<[string, string, number, string, Record<string, string>]>([
  ['a token that is refused', 'refused', 401, '{"errors":[{"message":"Invalid access token."}]}', challenge],
  ['a missing permission', 'forbidden', 401, '{"status":"unauthorized"}', {}],
  ['a missing permission in newer versions', 'forbidden', 403, '{"status":"unauthorized"}', {}],
  ['too many requests', 'away', 403, '403 Forbidden (Rate Limit Exceeded)\n', {}],
  ['too many requests in newer versions', 'away', 429, '429 Too Many Requests (Rate Limit Exceeded)\n', {}],
  ['a missing object', 'record', 404, '{"errors":[]}', {}],
  ['an invalid request', 'record', 400, '{}', {}],
  ['an internal error', 'away', 500, '{"errors":[]}', {}],
  ['a gateway error', 'away', 502, '<html>', {}],
  ['a redirect', 'away', 302, '', { location: 'https://elsewhere' }],
  ['a page instead of JSON', 'away', 200, '<html>Sign in</html>', {}],
])('the error for %s is %s', (_, expected, status, text, headers) => {
  const failure = expected === 'forbidden' ? { kind: 'refused', isOfCourse: true } : { kind: expected }
  expect(errorOf(status, text, headers)).toMatchObject({ name: 'CanvasError', failure, status })
})

test('the error contains the wait that Retry-After requests', () => {
  expect(errorOf(429, '', { 'retry-after': '120' }).failure.retryAfterMs).toBe(120_000)
})

describe('the client', () => {
  test('never shows the token', async () => {
    const { url } = await openSiteAndClient()
    const refused = clientOf({ url, token: 'planted-token' }).signIn()
    await expect(refused).rejects.toMatchObject({
      failure: { kind: 'refused', isOfCourse: false },
      message: expect.not.stringContaining('planted'),
    })
  })

  test('reports a Canvas site that refuses connections as unavailable', async () => {
    const site = await openSiteAndClient()
    await site.close().catch(() => {})
    await expect(site.canvas.signIn()).rejects.toMatchObject({
      failure: { kind: 'away' },
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('reports the path in a response of another shape, never the value', async () => {
    const server = await openScriptedServer()
    onTestFinished(() => server.close())
    server.on('courses', json(200, { id: 'somebody@example.org' }))
    const call = clientOf({ url: server.url, token: 't' }).course('7')
    await expect(call).rejects.toMatchObject({
      failure: { kind: 'away' },
      message: expect.stringMatching(/unexpected response at id/),
    })
  })

  test('sends its token to no other host, even if a list continues there', async () => {
    const server = await openScriptedServer()
    const other = await openScriptedServer()
    onTestFinished(() => server.close())
    onTestFinished(() => other.close())
    server.on('columns', json(200, [], { link: `<${other.url}/api/v1/more>; rel="next"` }))
    const call = clientOf({ url: server.url, token: 't' }).columns.read('7')
    await expect(call).rejects.toMatchObject({
      failure: { kind: 'refused', isOfCourse: true },
      message: expect.stringMatching(/another host/),
    })
    expect(other.seen).toEqual([])
  })
})
