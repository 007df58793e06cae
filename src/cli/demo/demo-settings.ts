// The settings of a demo: the sandbox as the service, and a data folder.

import type { FileSettings } from '#config/schema.ts'
import type { Settings } from '#config/settings.ts'
import { Secret } from '#src/platform/secret.ts'

export function demoSettings(
  sandbox: { url: string; key: string; secret: string },
  dataDir: string,
  file: FileSettings,
): Settings {
  return {
    configPath: 'built into the demo',
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    databaseUrl: null,
    redisUrl: null,
    dataDir,
    file,
  }
}
