// The accounts that a ledger has worked with. One account for each environment: people issued elsewhere would count as known here,
// and what was sent there would be looked for in vain.

import type { Database } from '#src/database/database.ts'

export class EnvironmentMixedError extends Error {
  override readonly name = 'EnvironmentMixedError'
}

export interface ServiceAddress {
  baseUrl: string
  environment: string
  /** Earlier addresses of the same account, for a service that has moved. */
  formerAddresses: readonly string[]
}

/** @throws EnvironmentMixedError when this ledger knows the address under the other environment, or another account under this one */
export async function pinServiceAddress(database: Database, given: ServiceAddress): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('credsync:address', 0))`)
    const { rows } = await sql.query<{ url: string; environment: string }>(
      'SELECT base_url AS url, environment FROM service_address',
    )
    const same = rows.find((row) => row.url === given.baseUrl)
    if (same && same.environment !== given.environment)
      throw new EnvironmentMixedError(
        `The configuration calls ${given.baseUrl} the ${given.environment} service, but this ledger has used it as ${same.environment}. Check service.environment and CREDSYNC_BASE_URL; for a different account use a different database.`,
      )
    const other = rows.find(
      (row) =>
        row.environment === given.environment && row.url !== given.baseUrl && !given.formerAddresses.includes(row.url),
    )
    if (other)
      throw new EnvironmentMixedError(
        `This ledger has issued at ${other.url} as ${given.environment}, and the configuration now names ${given.baseUrl}. Whoever was issued there would be skipped here. Use a database of its own for it (DATABASE_URL, or another CREDSYNC_DATA_DIR); if the service only moved, add the old address to service.formerAddresses.`,
      )
    await sql.query('INSERT INTO service_address (base_url, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      given.baseUrl,
      given.environment,
    ])
  })
}
