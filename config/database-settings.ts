// The settings for the PostgreSQL server of the ledger.

import { z } from 'zod'

/** PostgreSQL's settings that must be on so that no commit is lost. */
export const durableSettings = ['fsync', 'full_page_writes', 'synchronous_commit'] as const

export const databaseSchema = z
  .strictObject({
    offOnPurpose: z
      .array(z.enum(durableSettings))
      .default([])
      .describe(
        'Settings of the server that are off because the storage under the database gives the same guarantee, such as `full_page_writes` on a file system that never tears a page. In production, a worker does not start if `fsync` or `full_page_writes` is off and not named here.',
      ),
  })
  .prefault({})
  .describe('The PostgreSQL server of DATABASE_URL.')
