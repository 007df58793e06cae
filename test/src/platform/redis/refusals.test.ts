// The messages about refusals by Redis distinguish the causes, and contain nothing from REDIS_URL.

import type { AddressInfo } from 'node:net'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { Redis } from 'ioredis'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { checkRedis } from '#src/platform/redis/check-redis.ts'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { trustedIdentity } from '#test/guarantees/network/self-signed-certificate.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { startRedis } from '#test/support/redis-server.ts'

async function server(...commands: string[][]) {
  const started = await startRedis()
  if (!started) throw new Error('CREDSYNC_TEST_REDIS is set but there is no redis-server on the PATH.')
  onTestFinished(() => started.stop())
  const redis = new Redis(started.url)
  for (const [name = '', ...args] of commands) await redis.call(name, ...args)
  redis.disconnect()
  return new URL(started.url).host
}

const refusalOf = async (call: Promise<unknown>): Promise<string> => {
  const error = await call.then(
    () => null,
    (reason: Error) => reason,
  )
  expect(JSON.stringify([error?.message, error?.stack])).not.toContain('planted')
  return error?.message ?? 'nothing was refused'
}

describeWithRedis('a connection that Redis refuses', () => {
  const password = ['CONFIG', 'SET', 'requirepass', 'right']
  test.each([
    ['a wrong password', password, (host: string) => `redis://:planted@${host}`, /WRONGPASS.*password/],
    ['no password', password, (host: string) => `redis://${host}`, /NOAUTH.*requires a password/],
    ['a database that does not exist', ['PING'], (host: string) => `redis://${host}/99`, /no database with the number/],
  ])('is reported for %s, by the worker and by check', async (_, command, urlAt, words) => {
    const url = urlAt(await server(command))
    expect(await refusalOf(openRedis({ url }))).toMatch(words)
    expect(await refusalOf(checkRedis(url))).toMatch(words)
  })

  test('is reported for TLS to a port without it', async () => {
    const host = await server()
    expect(await refusalOf(checkRedis(`rediss://${host}`))).toMatch(/a port without TLS never answers/)
  })
})

describeWithRedis('a server that answers but refuses writes', () => {
  describe.each([
    ['its memory is full', [['CONFIG', 'SET', 'maxmemory', '1']], /OOM.*memory is full/, 0],
    ['it is a replica', [['REPLICAOF', '127.0.0.1', '1']], /read-only replica: name the primary/, 1],
  ])('because %s', (_, commands, words, grave) => {
    test('is reported by check, and a worker is refused if it could never work', async () => {
      const report = await checkRedis(`redis://${await server(...commands)}`)
      expect(report.faults.join(' ')).toMatch(words)
      expect(report.grave).toHaveLength(grave)
    })
  })
})

describe('a server whose certificate is not accepted', () => {
  const listen = async () => {
    const server = createServer(trustedIdentity(), (socket) => void socket.on('error', () => {}))
    server.on('tlsClientError', () => {})
    await new Promise<void>((resolve) => server.listen(0, resolve))
    onTestFinished(() => void server.close())
    return (server.address() as AddressInfo).port
  }
  const trusted = getCACertificates('default')
  afterEach(() => setDefaultCACertificates(trusted))

  test.each([
    ['for another host', 'localhost', true, /ALTNAME.*certificate is for another host. Write.*REDIS_URL/],
    ['of an unknown authority', '127.0.0.1', false, /not signed by an authority.*NODE_EXTRA_CA_CERTS/],
  ])('is reported: it is %s', async (_, host, isTrusted, words) => {
    const port = await listen()
    if (!isTrusted) setDefaultCACertificates(trusted)
    const url = `rediss://:planted@${host}:${port}`
    const faults: string[] = []
    expect(await refusalOf(openRedis({ url, onFault: (where) => void faults.push(where) }))).toMatch(words)
    expect(await refusalOf(checkRedis(url))).toMatch(words)
    // The command ends with this message, so nothing is logged about it.
    expect(faults).toEqual([])
  })
})
