// The settings of a demo: the sandbox as the service, a data folder, and a database that belongs to demos.

import type { FileSettings } from '#config/schema.ts'
import type { Settings } from '#config/settings.ts'
import { Secret } from '#src/platform/secret.ts'

/** The data folder, and the database if it is not the embedded one. */
export type DemoStorage = Pick<Settings, 'dataDir' | 'databaseUrl'>

export function demoSettings(
  sandbox: { url: string; key: string; secret: string },
  storage: DemoStorage,
  file: FileSettings,
): Settings {
  return {
    configPath: 'built into the demo',
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    redisUrl: null,
    ...storage,
    file,
  }
}
