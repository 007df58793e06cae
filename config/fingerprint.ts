// Hashes the settings, so that it can be checked whether two processes have the same ones. The hash leaves out secrets,
// and settings that may differ between processes: the log level, the web address and the console. Pure.

import { createHash } from 'node:crypto'
import type { Settings } from './settings.ts'

/** Returns 64 hexadecimal digits. The order of settings in the file and the file's path do not matter. */
export function fingerprintOf({ baseUrl, file }: Pick<Settings, 'baseUrl' | 'file'>): string {
  const { log: _log, web: _web, console: _console, systems, pipelines, notify, heartbeat, ...shared } = file
  const hashedSettings = {
    ...shared,
    // By name, so that no system's own name is taken for that of a secret.
    systems: Object.fromEntries(Object.entries(systems).map(([name, each]) => [name, withoutSecrets(each)])),
    pipelines: Object.fromEntries(
      Object.entries(pipelines).map(([name, { heartbeat: _, ...each }]) => [
        name,
        { ...each, writeBack: withoutSecrets(each.writeBack) },
      ]),
    ),
    notify: notify && { ...notify, smtp: withoutSecrets(notify.smtp), to: withoutAddresses(notify.to) },
    heartbeat: heartbeat?.every,
  }
  return createHash('sha256')
    .update(JSON.stringify(withSortedKeys({ baseUrl, ...hashedSettings })))
    .digest('hex')
}

const secretNames = ['token', 'password', 'secret', 'privateKey', 'clientSecret', 'refreshToken']

/** Removes the addresses of hooks as well: whoever knows one can post to it. */
function withoutAddresses(recipients: NonNullable<Settings['file']['notify']>['to']) {
  return Object.fromEntries(
    Object.entries(recipients).map(([name, { slack: _, teams: _t, webhook: _w, secret: _s, ...rest }]) => [name, rest]),
  )
}

/** Removes secrets: a weak password could be guessed from the hash, which is stored in the ledger. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!value || typeof value !== 'object') return value
  const publicEntries = Object.entries(value).filter(([name]) => !secretNames.includes(name))
  return Object.fromEntries(publicEntries.map(([name, each]) => [name, withoutSecrets(each)]))
}

function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, withSortedKeys(each)]),
  )
}
