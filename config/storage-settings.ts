// Reads where the ledger is from the environment, without the rest of the configuration and the packages that parse it.

import { resolve } from 'node:path'
import { Secret } from '#src/platform/secret.ts'
import { readEnvironment } from './environment-variables.ts'
import { SettingsError, type SettingsFault } from './read-variable.ts'
import type { ReadSettingsOptions, Settings } from './settings.ts'

/**
 * Reads only the location of the ledger. `status` and `explain` need nothing else, so they work while the rest of the
 * configuration is still being written.
 * @throws SettingsError with every fault of the environment
 */
export async function readStorageSettings(
  sources: ReadSettingsOptions,
): Promise<Pick<Settings, 'databaseUrl' | 'dataDir' | 'hashKey'>> {
  const faults: SettingsFault[] = []
  const environment = await readEnvironment(sources.env, faults, { storageOnly: true })
  if (faults.length > 0) throw new SettingsError(faults)
  return {
    databaseUrl: environment.databaseUrl ? new Secret(environment.databaseUrl) : null,
    hashKey: environment.hashKey ? new Secret(environment.hashKey) : null,
    dataDir: resolve(sources.cwd, environment.dataDir),
  }
}
