// A service address belongs to one environment for ever.

import type { Sql } from '#src/database/database.ts'

export class EnvironmentMixedError extends Error {
  override readonly name = 'EnvironmentMixedError'
}

/** @throws EnvironmentMixedError when this ledger knows the address under the other environment */
export async function pinServiceAddress(sql: Sql, baseUrl: string, environment: string): Promise<void> {
  await sql.query('INSERT INTO service_address (base_url, environment) VALUES ($1, $2) ON CONFLICT DO NOTHING', [
    baseUrl,
    environment,
  ])
  const { rows } = await sql.query<{ environment: string }>(
    'SELECT environment FROM service_address WHERE base_url = $1',
    [baseUrl],
  )
  const known = rows[0]?.environment
  if (known !== environment)
    throw new EnvironmentMixedError(
      `The configuration calls ${baseUrl} the ${environment} service, but this ledger has used it as ${known}. Check service.environment and CREDSYNC_BASE_URL; for a different account use a different database.`,
    )
}
