// Tests tokens: how they are obtained, how long they are valid, and that a refresh token works once.

import { describe, expect, test } from 'vitest'
import { paths, visitSandbox } from './visitor.ts'

const minute = 60_000

describe('an access token', () => {
  test('is valid for 30 minutes and not a millisecond longer', async () => {
    const { post, clock } = await visitSandbox()
    await clock.advance(30 * minute - 1)
    expect((await post(paths.list, {})).http).toBe(200)
    await clock.advance(1)
    expect(await post(paths.list, {})).toMatchObject({ http: 401, status: 401, payload: {} })
  })

  test('is required, and must have been issued', async () => {
    const { post, sandbox } = await visitSandbox()
    expect((await post(paths.list, {}, 'made-up')).http).toBe(401)
    const bare = await fetch(sandbox.url + paths.list, { method: 'POST' })
    expect(bare.status).toBe(401)
  })

  test('is not issued for a wrong secret, and a missing one is a bad request', async () => {
    const { post, sandbox } = await visitSandbox()
    expect((await post(paths.token, { key: sandbox.key, secret: 'wrong' })).http).toBe(401)
    expect((await post(paths.token, { key: sandbox.key })).http).toBe(400)
    expect(sandbox.journal().tokens).toBe(1)
  })
})

describe('a refresh token', () => {
  test('returns a new working pair, in an answer with only status and payload', async () => {
    const { post, signIn, sandbox } = await visitSandbox()
    const first = await signIn()
    const answer = await post(paths.refresh, { refreshToken: first.refreshToken })
    expect(Object.keys(answer).sort()).toEqual(['http', 'payload', 'status'])
    expect((await post(paths.list, {}, answer.payload.accessToken)).http).toBe(200)
    expect(answer.payload.refreshToken).not.toBe(first.refreshToken)
    expect(sandbox.journal()).toMatchObject({ tokens: 2, refreshes: 1 })
  })

  test('is valid for as long as the setting says', async () => {
    const { post, signIn, clock } = await visitSandbox({ tokenLife: { accessMs: minute, refreshMs: 5 * minute } })
    const { refreshToken } = await signIn()
    await clock.advance(5 * minute)
    expect((await post(paths.refresh, { refreshToken })).http).toBe(401)
  })
})
