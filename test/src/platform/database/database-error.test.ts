// What an operator can mend is reported with its cause and what to do, without the driver's message; a mistake of ours
// is not.

import { generateKeyPairSync } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { exitCodeOf } from '#src/cli/exit-code.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { databaseError } from '#src/platform/database/database-error.ts'
import { openPostgresStandIn, type StandInOptions } from '#test/support/postgres-stand-in.ts'
import { certificateOf } from '#test/support/tls-certificate.ts'

async function errorOf(call: Promise<unknown>): Promise<Error & { code?: string }> {
  return call.then(
    () => new Error('nothing failed'),
    (error) => error,
  )
}

/** The error of a query to a server that answers so. */
async function errorFrom(options: StandInOptions, { host = '127.0.0.1', parameters = '' } = {}) {
  await using standIn = await openPostgresStandIn(options)
  await using database = openDatabase(`postgres://me:planted@${host}:${standIn.port}/x${parameters}`)
  return await errorOf(database.query('SELECT 1'))
}

const goesOn = /Nothing is lost.*Wait until it runs.*a run that was under way goes on/
const pooler = /pooler such as PgBouncer.*transaction.*Connect to the server directly.*session mode/

test.each([
  ['57P01', 'terminating connection due to administrator command', 'DatabaseUnreachableError', goesOn],
  ['57P02', 'the postmaster has commanded this server process to roll back', 'DatabaseUnreachableError', goesOn],
  ['57P03', 'the database system is starting up', 'DatabaseUnreachableError', goesOn],
  ['28P01', 'password authentication failed for user "planted"', 'DatabaseUnreachableError', /user and the password/],
  ['3D000', 'database "planted" does not exist', 'DatabaseUnreachableError', /no database of that name/],
  ['53300', 'sorry, too many clients already', 'DatabaseUnreachableError', /connections are in use. Raise/],
  ['53100', 'could not extend file "planted"', 'DatabaseRefusedError', /no disk space/],
  ['25006', 'cannot execute INSERT in a read-only transaction', 'DatabaseRefusedError', /standby.*Name the primary/],
  [
    '42501',
    'permission denied for table planted',
    'DatabaseRefusedError',
    /lacks a right.*GRANT CONNECT.*`credsync check`/,
  ],
  ['08P01', 'unsupported startup parameter: options', 'DatabaseRefusedError', pooler],
  ['08P01', 'unsupported startup parameter in options: search_path', 'DatabaseRefusedError', pooler],
  ['08P01', 'transaction blocks not allowed in statement pooling mode', 'DatabaseRefusedError', pooler],
  ['08P01', 'password authentication failed', 'DatabaseUnreachableError', /user and the password/],
  ['08P01', 'database "planted" does not exist', 'DatabaseUnreachableError', /no database of that name/],
  ['08P01', 'no more connections allowed (max_client_conn)', 'DatabaseUnreachableError', /connections are in use/],
  ['08P01', 'server conn crashed?', 'DatabaseUnreachableError', goesOn],
])('%s “%s” is an operator’s: %s', async (code, message, name, words) => {
  for (const at of ['connection', 'query'] as const) {
    const error = await errorFrom({ refusal: [code, message], at })
    expect(error).toMatchObject({ name, code, message: expect.stringMatching(words) })
    expect(exitCodeOf(error)).toBe(2)
    expect(JSON.stringify([error.message, error.stack])).not.toContain('planted')
  }
})

test.each([
  ['42P01', 'relation "x" does not exist'],
  ['23505', 'duplicate key value violates unique constraint'],
  ['08P01', 'bind message supplies 1 parameters, but prepared statement requires 2'],
])('%s of PostgreSQL itself, “%s”, is a mistake of ours', async (code, message) => {
  const error = await errorFrom({ refusal: [code, message], at: 'query', routine: 'exec_simple_query' })
  expect(exitCodeOf(error)).toBe(1)
  expect(error.constructor.name).toBe('DatabaseError')
})

test('a connection that breaks, and an address that no longer answers, are an outage and no wrong address', async () => {
  const standIn = await openPostgresStandIn({ at: 'query' })
  await using database = openDatabase(`postgres://me:planted@127.0.0.1:${standIn.port}/x`)
  const broken = await errorOf(database.query('SELECT 1'))
  expect(broken).toMatchObject({ code: 'CONNECTION_LOST', message: expect.stringMatching(goesOn) })
  await standIn[Symbol.asyncDispose]()
  const away = { code: 'ECONNREFUSED', message: expect.stringMatching(goesOn) }
  for (const call of [database.query('SELECT 1'), database.transaction(async () => {}), database.session()])
    expect(await errorOf(call)).toMatchObject(away)
})

test('a transaction that cannot begin reports the same', async () => {
  await using standIn = await openPostgresStandIn({ at: 'query', refusal: ['57P01', 'planted'] })
  await using database = openDatabase(`postgres://me@127.0.0.1:${standIn.port}/x`)
  expect(await errorOf(database.transaction(async () => {}))).toMatchObject({ name: 'DatabaseUnreachableError' })
})

test('an address without a password, which the server asks for, is one to check', () => {
  const words = 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'
  expect(databaseError(new Error(words), false)).toMatchObject({
    ...{ name: 'DatabaseUnreachableError', code: 'NO_PASSWORD' },
    message: expect.stringMatching(/does not let the user in.*is there one\?/),
  })
})

test('a server that never answers is an address to check', async () => {
  const server = await openPostgresStandIn({ refusal: ['', ''], at: 'query' })
  onTestFinished(() => server[Symbol.asyncDispose]())
  const pool = new pg.Pool({ host: '127.0.0.1', port: server.port, max: 1 })
  onTestFinished(() => pool.end())
  const client = await pool.connect()
  // Only now, because a busy machine may need longer for the first connection.
  pool.options.connectionTimeoutMillis = 50
  const error = databaseError(await errorOf(pool.connect()), false)
  expect(error).toMatchObject({ code: 'NO_ANSWER', message: expect.stringContaining('Check DATABASE_URL') })
  client.release(true)
})

test('TLS: an unknown authority, another host and a port without TLS each have their remedy', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'database-tls-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const base64 = certificateOf(publicKey, privateKey).toString('base64')
  const cert = `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
  await writeFile(join(folder, 'ca.pem'), cert)
  const tls = { key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), cert }
  const full = '?sslmode=verify-full'
  const named = `${full}&sslrootcert=${folder}/ca.pem`
  const refusal = ['57P03', 'reached'] as const

  const unknown = await errorFrom({ tls, refusal }, { parameters: full })
  expect(unknown.message).toMatch(/not signed by an authority.*sslrootcert in DATABASE_URL/)
  const other = await errorFrom({ tls, refusal }, { parameters: named, host: 'localhost' })
  expect(other.message).toMatch(/\(ERR_TLS_CERT_ALTNAME_INVALID\).*for another host. Write the host/)
  const plain = await errorFrom({ refusal }, { parameters: named })
  expect(plain.message).toMatch(/\(NO_TLS\).*no TLS at this port.*Turn TLS on/)
  for (const error of [unknown, other, plain]) expect(exitCodeOf(error)).toBe(2)
  expect(await errorFrom({ tls, refusal }, { parameters: named })).toMatchObject({ code: '57P03' })
})
