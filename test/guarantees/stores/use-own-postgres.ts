// Gives a test file a PostgreSQL server of its own, on which its worlds make their databases.

import { afterAll, beforeAll } from 'vitest'
import { type OwnPostgres, openOwnPostgres } from './own-postgres.ts'

/** Call it inside a describe block; the answer gives the server once a test runs. */
export function useOwnPostgres(): () => OwnPostgres {
  const shared = process.env.CREDSYNC_TEST_POSTGRES
  let server: OwnPostgres | null = null
  beforeAll(async () => {
    server = await openOwnPostgres()
    process.env.CREDSYNC_TEST_POSTGRES = server.url
  })
  afterAll(async () => {
    process.env.CREDSYNC_TEST_POSTGRES = shared
    await server?.[Symbol.asyncDispose]()
  })
  return () => {
    if (!server) throw new Error('The PostgreSQL of these tests did not start.')
    return server
  }
}
