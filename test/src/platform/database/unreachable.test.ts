// A server that is unreachable for a reason other than a refused connection is reported by the same error class.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '#src/platform/database/database.ts'
import { DatabaseUnreachableError } from '#src/platform/database/database-error.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unreachable-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

test.each([
  ['a socket on which no server listens', () => `postgres://me:planted@/x?host=${folder}`],
  ['a certificate file that does not exist', () => `postgres://me:planted@127.0.0.1:1/x?sslrootcert=${folder}/ca.pem`],
])('%s makes a query, a transaction and a session fail with DatabaseUnreachableError', async (_, url) => {
  await using database = openDatabase(url())
  const tries = [
    () => database.query('SELECT 1'),
    () => database.transaction(async () => {}),
    () => database.session().then(() => {}),
  ]
  for (const attempt of tries) {
    const error = await attempt().then(
      () => null,
      (each: unknown) => each,
    )
    expect(error).toBeInstanceOf(DatabaseUnreachableError)
    expect(String(error)).toMatch(/\(ENOENT\).*certificate/)
    expect(String(error)).not.toContain('planted')
  }
})
