// Hashes the settings, so that it can be checked whether two processes have the same ones. The hash leaves out secrets,
// and settings that may differ between processes: the log level, the web address and the console. Pure.

import { createHash } from 'node:crypto'
import { withoutConsole } from '#src/extensions/console/settings/addresses-without-tls.ts'
import { withoutSystemSecrets } from '#src/extensions/lms/settings/left-out-of-hash.ts'
import { withoutNoticeAddresses } from '#src/extensions/notices/settings/left-out-of-hash.ts'
import type { Settings } from './settings.ts'

/** Returns 64 hexadecimal digits. The order of settings in the file and the file's path do not matter. */
export function fingerprintOf({ baseUrl, file }: Pick<Settings, 'baseUrl' | 'file'>): string {
  let hashed = { ...file, log: undefined, web: undefined }
  hashed = withoutSystemSecrets(hashed)
  hashed = withoutNoticeAddresses(hashed)
  hashed = withoutConsole(hashed)
  return createHash('sha256')
    .update(JSON.stringify(withSortedKeys({ baseUrl, ...hashed })))
    .digest('hex')
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, withSortedKeys(each)]),
  )
}
