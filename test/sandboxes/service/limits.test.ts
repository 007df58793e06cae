// Tests the rate limits, which are counted before a call is processed.

import { describe, expect, test } from 'vitest'
import { paths, visitSandbox } from './visitor.ts'

describe('the general limit', () => {
  test('the 61st call in a sliding second gets 429, and a call is allowed again exactly one second after the first', async () => {
    const { post, clock } = await visitSandbox()
    const list = async () => (await post(paths.list, {})).http
    for (let call = 0; call < 30; call++) expect(await list()).toBe(200)
    await clock.advance(600)
    for (let call = 0; call < 30; call++) expect(await list()).toBe(200)
    expect(await list()).toBe(429)
    await clock.advance(399)
    expect(await list()).toBe(429)
    await clock.advance(1)
    for (let call = 0; call < 30; call++) expect(await list()).toBe(200)
    expect(await list()).toBe(429)
  })

  test('each endpoint has its own, whatever id is in its path', async () => {
    const { post, get, sandbox, course } = await visitSandbox({ limits: { general: 2, auth: 3 } })
    expect((await get(`${paths.fieldList}/${course.uuid}`)).http).toBe(200)
    expect((await get(`${paths.fieldList}/${sandbox.courses[1]?.uuid}`)).http).toBe(200)
    expect((await get(`${paths.fieldList}/${sandbox.courses[2]?.uuid}`)).http).toBe(429)
    expect((await post(paths.list, {})).http).toBe(200)
    expect(sandbox.journal().calls[`GET ${paths.fieldList}`]).toBe(3)
    expect(sandbox.journal().throttled).toBe(1)
  })

  test('two tokens of one key share it', async () => {
    const { post, signIn } = await visitSandbox({ limits: { general: 1, auth: 3 } })
    expect((await post(paths.list, {})).http).toBe(200)
    await signIn()
    expect((await post(paths.list, {})).http).toBe(429)
  })
})

describe('the limit of the token endpoints', () => {
  test('token and refresh share three a second per source address, and wrong secrets count too', async () => {
    const { post, sandbox, clock, signIn } = await visitSandbox()
    await clock.advance(1_000)
    const { refreshToken } = await signIn()
    expect((await post(paths.token, { key: sandbox.key, secret: 'wrong' })).http).toBe(401)
    const renewed = await post(paths.refresh, { refreshToken })
    expect(renewed.http).toBe(200)
    const next = { refreshToken: renewed.payload.refreshToken }
    expect((await post(paths.refresh, next)).http).toBe(429)
    await clock.advance(1_000)
    // The refused call has not used up the token.
    expect((await post(paths.refresh, next)).http).toBe(200)
  })
})
