// Records the address of the service account with which a ledger is used, one for each environment, and refuses any
// other. Otherwise, people with credentials in the first account would count as known in the second, and credentials
// sent to the first would never appear in the report of the second. Reads and writes the database.

import type { Database } from '#src/platform/database/database.ts'

export class EnvironmentMixedError extends Error {
  override readonly name = 'EnvironmentMixedError'
}

export interface ServiceAddress {
  baseUrl: string
  environment: string
  /** Earlier addresses of the same account, if the service has moved. */
  formerAddresses: readonly string[]
}

/**
 * Records the address at its first use, and checks it at every later use.
 * @throws EnvironmentMixedError if the ledger was used with this address for the other environment, or with another
 * account for this environment
 */
export async function pinServiceAddress(database: Database, address: ServiceAddress): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('credsync:address', 0))`)
    const { rows } = await sql.query<{ url: string; environment: string }>(
      'SELECT base_url AS url, environment FROM service_address',
    )
    const same = rows.find((row) => row.url === address.baseUrl)
    if (same && same.environment !== address.environment)
      throw new EnvironmentMixedError(
        `The configuration calls ${address.baseUrl} the ${address.environment} service, but this ledger has used it as ${same.environment}. Check service.environment and CREDSYNC_BASE_URL; for a different account use a different database.`,
      )
    const other = rows.find(
      (row) =>
        row.environment === address.environment &&
        row.url !== address.baseUrl &&
        !address.formerAddresses.includes(row.url),
    )
    if (other)
      throw new EnvironmentMixedError(
        `This ledger was used with ${other.url} as the ${address.environment} service, and the configuration now names ${address.baseUrl}. People with credentials in the earlier account would be skipped. Use a separate database for the new account (DATABASE_URL, or another CREDSYNC_DATA_DIR); if the service has only moved, add the old address to service.formerAddresses.`,
      )
    await sql.query('INSERT INTO service_address (base_url, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
      address.baseUrl,
      address.environment,
    ])
  })
}
