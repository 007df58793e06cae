// Sends an answer twice and checks that the client does not take the second copy for the answer to another request.

import { expect, test } from 'vitest'
import { openHttp } from '#src/issuer/http/http-client.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openFaultProxy } from '#test/support/fault-proxy.ts'
import { openScriptedServer, raw } from '#test/support/scripted-server.ts'
import { faults } from './faults.ts'

test('the second copy of an answer is never taken for the answer to the next request', async () => {
  const service = await openScriptedServer()
  const proxy = await openFaultProxy(service.url)
  const http = openHttp({ baseUrl: proxy.url, clock: systemClock })
  const duplicate = faults.find((fault) => fault.name === 'duplicate')
  if (!duplicate || !('strike' in duplicate.effect)) throw new Error('There is no fault called duplicate.')
  service.on('/first', raw(200, 'first', { 'content-length': '5' }))
  service.on('/second', raw(200, 'second', { 'content-length': '6' }))
  proxy.strike('/first', 1, Number.POSITIVE_INFINITY, duplicate.effect.strike(true))
  const send = (path: string) => http.exchange({ lane: 'read', method: 'GET', path, deadlineMs: 5_000 })

  for (let turn = 0; turn < 20; turn++) {
    expect(await send('/first')).toMatchObject({ kind: 'answer', text: 'first' })
    const next = await send('/second')
    // A connection that breaks because of the surplus is a normal fault; a wrong answer would go unnoticed.
    if (next.kind === 'answer') expect(next.text).toBe('second')
  }
  expect(service.requests('/second').length).toBeGreaterThan(0)
  expect(proxy.struck()).toBe(20)

  await http.close()
  await proxy.close()
  await service.close()
})
