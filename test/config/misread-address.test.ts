// Addresses that a driver would read in another way than they are written are refused; the others lead where they say.

import { createRequire } from 'node:module'
import { Redis } from 'ioredis'
import { describe, expect, test } from 'vitest'
import { readStorageSettings } from '#config/storage-settings.ts'
import { goodEnv, goodFile, readConfiguration, refusalOf, sentencesAbout } from './configuration-files.ts'

// Of the copy that pg uses.
const { parse } = createRequire(createRequire(import.meta.url).resolve('pg'))('pg-connection-string')

const local = 'postgres://me:planted@127.0.0.1'

describe('an address of PostgreSQL', () => {
  test.each([
    [`${local}/our@ledger/of:it`, { host: '127.0.0.1', database: 'our@ledger/of:it' }],
    [`${local}/our%20ledger`, { host: '127.0.0.1', database: 'our ledger' }],
    ['postgres://me:planted@/x?host=/run/postgresql', { host: '/run/postgresql', database: 'x', password: 'planted' }],
    ['postgres://me:planted@%2Frun%2Fpostgresql:5433/x', { host: '/run/postgresql', port: '5433', database: 'x' }],
    ['postgres://me:a,b%23%40%2F@127.0.0.1/x', { host: '127.0.0.1', password: 'a,b#@/' }],
  ])('leads where it says: %s', async (DATABASE_URL, expected) => {
    const { databaseUrl } = await readStorageSettings({ env: { DATABASE_URL }, cwd: '/' })
    expect({ ...parse(databaseUrl?.reveal()) }).toMatchObject(expected)
  })

  test('whose host is only a parameter is checked like any other', async () => {
    const DATABASE_URL = 'postgres://me:planted@/x?host=db.example&options=x'
    const error = await refusalOf(readStorageSettings({ env: { DATABASE_URL }, cwd: '/' }))
    expect(error.faults.map(({ sentence }) => sentence)).toEqual([
      expect.stringContaining('has the parameter options'),
      expect.stringContaining('without TLS'),
    ])
  })

  test.each([
    [`${local}/our%40ledger`, 'encoded character in the name of the database'],
    [`${local}/our%2Fledger`, 'encoded character in the name of the database'],
    [`${local}/our%23ledger`, 'names with # or ? cannot be used'],
    [`${local}/our#ledger`, 'contains a #'],
    ['postgres://127.0.0.1:1#planted@db.example/x', 'contains a #'],
    ['postgres://me:planted@127.0.0.1,::1/x', 'names several hosts'],
    ['postgres://me:planted@127.0.0.1:5432,localhost:5433/x', 'names several hosts'],
    ['postgres://me:planted@/x?host=localhost,127.0.0.1', 'names several hosts'],
    ['postgres://%2Frun%2Fone/x?host=/run/other', 'names several hosts'],
    [`${local}/x?dbname=other`, 'has the parameter dbname, which'],
    [`${local}/x?hostaddr=127.0.0.2&service=other`, 'has the parameter hostaddr and service'],
  ])('is refused if pg would read it differently: %s', async (DATABASE_URL, words) => {
    const error = await refusalOf(readStorageSettings({ env: { DATABASE_URL }, cwd: '/' }))
    expect(sentencesAbout(error, 'DATABASE_URL')[0]).toContain(words)
    expect(error.message).not.toContain('planted')
  })
})

describe('an address of Redis', () => {
  const readRedis = (REDIS_URL: string) => readConfiguration(goodFile, { ...goodEnv, DATABASE_URL: local, REDIS_URL })

  test.each([
    ['redis://127.0.0.1/3', { host: '127.0.0.1', port: 6379, db: 3 }],
    ['redis://localhost:6380/?db=3', { host: 'localhost', port: 6380, db: 3 }],
    ['rediss://me:p%40%2F%23,@redis.example', { host: 'redis.example', username: 'me', password: 'p@/#,', db: 0 }],
  ])('leads where it says: %s', async (address, expected) => {
    const { redisUrl } = await readRedis(address)
    expect(new Redis(redisUrl?.reveal() ?? '', { lazyConnect: true }).options).toMatchObject(expected)
  })

  test.each([
    ['redis:///run/planted.sock', 'A Unix socket cannot be used'],
    ['redis://%2Frun%2Fplanted.sock', 'A Unix socket cannot be used'],
    ['redis://127.0.0.1/planted', 'only the number of a database'],
    ['redis://127.0.0.1/2#planted', 'contains a #'],
    ['redis://:planted@127.0.0.1:1,localhost:2', 'names several hosts'],
  ])('is refused if ioredis would read it differently: %s', async (address, words) => {
    const error = await refusalOf(readRedis(address))
    expect(sentencesAbout(error, 'REDIS_URL')[0]).toContain(words)
    expect(error.message).not.toContain('planted')
  })
})
