// The token of one client: fetched, renewed and replaced, and never shown.

import { describe, expect, test } from 'vitest'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { KeysRefusedError } from '#src/issuer/tokens/token-calls.ts'
import { envelope, json, raw, resetBeforeAnswer, type Script } from '#test/support/scripted-server.ts'
import { openBench, refreshPath, tokenPath } from '../client-bench.ts'

const minutes = 60_000
const detail = '/course/detail'
const course = envelope({ data: { course_uuid: 'c' } })
const tokenOf = (header: unknown) => String(header).replace('Bearer ', '')

describe('the token', () => {
  test('is not shown in an error, nor are key and secret, if the service echoes what it was sent', async () => {
    await using bench = await openBench()
    const echo: Script = (seen, ...rest) =>
      json(400, { status: 400, message: `${seen.body} ${seen.headers.authorization ?? ''}` })(seen, ...rest)
    const refusal = () => bench.issuer.courseDetail('c').then(String, String)
    bench.server.on(detail, echo)
    const ofToken = await refusal()
    expect(ofToken).toContain('Bearer [secret]')
    bench.server.on('/course/status', echo)
    expect((await bench.issuer.setCourseEnabled('c', true)).words).toBe('Bearer [secret]')
    bench.advanceClock(60 * minutes)
    for (const path of [tokenPath, refreshPath]) bench.server.on(path, echo)
    const ofKeys = await refusal()
    expect(ofKeys).toContain('{"key":"[secret]","secret":"[secret]"}')
    expect(ofToken + ofKeys).not.toMatch(/access-1|refresh-1|the-key|the-secret/)
  })

  test('is fetched once for all concurrent callers', async () => {
    await using bench = await openBench()
    bench.server.on(detail, course)
    await Promise.all(Array.from({ length: 5 }, () => bench.issuer.courseDetail('c')))
    expect(bench.server.requests(tokenPath)).toHaveLength(1)
    expect(JSON.parse(bench.server.requests(tokenPath)[0]?.body ?? '')).toEqual({
      key: 'the-key',
      secret: 'the-secret',
    })
    const used = bench.server.requests(detail).map((request) => tokenOf(request.headers.authorization))
    expect(new Set(used)).toEqual(new Set(['access-1']))
    expect(bench.gates.auth?.passes).toBe(1)
    expect(bench.issuer.counts()).toMatchObject({ token: 1, 'course-detail': 5, invite: 0 })
  })

  test('is renewed with the refresh token if less than five minutes remain, and the refresh token rotates', async () => {
    await using bench = await openBench()
    bench.server.on(detail, course)
    await bench.issuer.courseDetail('c')
    bench.advanceClock(24 * minutes)
    await bench.issuer.courseDetail('c')
    expect(bench.server.requests(refreshPath)).toHaveLength(0)
    bench.advanceClock(2 * minutes)
    await bench.issuer.courseDetail('c')
    bench.advanceClock(26 * minutes)
    await bench.issuer.courseDetail('c')
    const refreshed = bench.server.requests(refreshPath).map((request) => JSON.parse(request.body))
    expect(refreshed).toEqual([{ refreshToken: 'refresh-1' }, { refreshToken: 'refresh-2' }])
    expect(bench.server.requests(tokenPath)).toHaveLength(1)
  })

  test.each([
    ['refuses', json(401, { status: 401 })],
    ['resets the connection of', resetBeforeAnswer],
    ['garbles its answer to', raw(200, '<html>')],
  ])('is fetched with key and secret again if the service %s the refresh', async (_what, script) => {
    await using bench = await openBench()
    bench.server.on(detail, course)
    await bench.issuer.courseDetail('c')
    bench.server.on(refreshPath, script)
    bench.advanceClock(29 * minutes)
    await bench.issuer.courseDetail('c')
    expect(bench.server.requests(refreshPath)).toHaveLength(1)
    expect(bench.server.requests(tokenPath)).toHaveLength(2)
  })

  test('is still used for reads until it expires, if it cannot be renewed', async () => {
    await using bench = await openBench()
    bench.server.on(detail, course)
    await bench.issuer.courseDetail('c')
    bench.server.on(refreshPath, raw(503, ''))
    bench.server.on(tokenPath, raw(503, ''))
    bench.advanceClock(27 * minutes)
    expect((await bench.issuer.courseDetail('c')).course_uuid).toBe('c')
    bench.advanceClock(4 * minutes)
    await expect(bench.issuer.courseDetail('c')).rejects.toBeInstanceOf(ServiceUnreachableError)
  })

  test('is renewed once for all callers if it is refused, and their reads are repeated', async () => {
    await using bench = await openBench()
    bench.server.on(detail, (seen, ...rest) => {
      const good = tokenOf(seen.headers.authorization) !== 'access-1'
      ;(good ? course : json(401, { status: 401 }))(seen, ...rest)
    })
    await Promise.all(Array.from({ length: 4 }, () => bench.issuer.courseDetail('c')))
    expect(bench.server.requests(tokenPath).length + bench.server.requests(refreshPath).length).toBe(2)
    expect(bench.server.requests(detail)).toHaveLength(8)
  })

  test.each([401, 403])(
    'is requested only once if the keys are refused (%i), and the error shows neither key nor secret',
    async (status) => {
      await using bench = await openBench()
      bench.server.on(tokenPath, json(status, { status, message: 'the-key and the-secret are wrong' }))
      const error = await bench.issuer.checkToken().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(KeysRefusedError)
      expect(String(error)).toContain(`HTTP ${status}`)
      expect(String(error)).not.toMatch(/the-key|the-secret/)
      expect(bench.server.requests(tokenPath)).toHaveLength(1)
    },
  )

  test('is requested again after a fault, and a 429 pauses the token gate', async () => {
    await using bench = await openBench()
    const good = envelope({ accessToken: 'access-9', refreshToken: 'r' })
    bench.server.on(tokenPath, resetBeforeAnswer, json(429, {}, { 'retry-after': '2' }), good)
    await bench.issuer.checkToken()
    expect(bench.gates.auth?.pauses).toEqual([2_000])
    expect(bench.waits).toEqual([500])
  })

  test('is requested four times if the service cannot be reached', async () => {
    await using bench = await openBench()
    bench.server.on(tokenPath, raw(503, ''))
    await expect(bench.issuer.checkToken()).rejects.toBeInstanceOf(ServiceUnreachableError)
    expect(bench.server.requests(tokenPath)).toHaveLength(4)
  })

  test.each([401, 403])('is not given if the envelope of an HTTP 200 refuses the keys (%i)', async (status) => {
    await using bench = await openBench()
    bench.server.on(tokenPath, json(200, { status, message: 'no' }))
    await expect(bench.issuer.checkToken()).rejects.toBeInstanceOf(KeysRefusedError)
  })

  test('is reported by its path if the answer does not contain it', async () => {
    await using bench = await openBench()
    bench.server.on(tokenPath, envelope({ refreshToken: 'hunter2' }))
    await expect(bench.issuer.checkToken()).rejects.toThrow(/token could not be read at payload.accessToken/)
  })
})
