// Every HTTP call that leaves the program names the program and its version: some hosts refuse calls that name nobody.

import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openHttp } from '#src/issuer/http/http-client.ts'
import { discoverProvider } from '#src/platform/discover-provider.ts'
import { openLmsHttp } from '#src/platform/http/http-client.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'

test('calls to the service, to learning systems and hooks, and to an identity provider carry credsync/VERSION', async () => {
  const server = await openScriptedServer()
  onTestFinished(() => server.close())
  server.on('/', json(200, {}))
  const service = openHttp({ baseUrl: server.url, clock: systemClock })
  onTestFinished(() => service.close())
  await service.exchange({ method: 'GET', path: '/service', lane: 'read', deadlineMs: 5_000 })
  const lms = openLmsHttp(systemClock)
  onTestFinished(() => lms.close())
  await lms.send({ method: 'GET', url: `${server.url}/lms`, headers: {}, deadlineMs: 5_000 })
  await discoverProvider({ issuer: server.url, clientId: 'c', clientSecret: 's' }).catch(() => {})
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(server.seen.map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
    ['/service', `credsync/${version}`],
    ['/lms', `credsync/${version}`],
    ['/.well-known/openid-configuration', `credsync/${version}`],
  ])
})
