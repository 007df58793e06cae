// Starts a separate PostgreSQL server for a test file, on which its worlds create their databases.

import { afterAll, beforeAll } from 'vitest'
import { preparedDatabase } from '#test/support/database.ts'
import { type OwnPostgres, openOwnPostgres } from './own-postgres.ts'

/** Call it inside a describe block; the returned function gives the server once a test runs. */
export function useOwnPostgres(): () => OwnPostgres {
  const { CREDSYNC_TEST_POSTGRES, CREDSYNC_TEST_TEMPLATE } = process.env
  let server: OwnPostgres | null = null
  beforeAll(async () => {
    server = await openOwnPostgres()
    process.env.CREDSYNC_TEST_POSTGRES = server.url
    // The tables are created once: creating them in each world would cost more than most cases.
    process.env.CREDSYNC_TEST_TEMPLATE = (await preparedDatabase()).url
  })
  afterAll(async () => {
    Object.assign(process.env, { CREDSYNC_TEST_POSTGRES, CREDSYNC_TEST_TEMPLATE })
    await server?.[Symbol.asyncDispose]()
  })
  return () => {
    if (!server) throw new Error('The PostgreSQL of these tests did not start.')
    return server
  }
}
