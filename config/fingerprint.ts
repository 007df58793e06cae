// Whether two processes were told the same: a hash of the settings, without anything secret, and without what may be each process's own: the
// log's level and where its pages are.

import { createHash } from 'node:crypto'
import type { Settings } from './settings.ts'

/** 64 hexadecimal digits. The order in which the file names its settings does not count, nor where the file lies. */
export function fingerprintOf({ baseUrl, file }: Pick<Settings, 'baseUrl' | 'file'>): string {
  const { log: _log, web: _web, systems, pipelines, ...told } = file
  const open = {
    ...told,
    systems: withoutSecrets(systems),
    pipelines: Object.fromEntries(
      Object.entries(pipelines).map(([name, each]) => [name, { ...each, writeBack: withoutSecrets(each.writeBack) }]),
    ),
  }
  return createHash('sha256')
    .update(JSON.stringify(sorted({ baseUrl, ...open })))
    .digest('hex')
}

const secrets = ['token', 'password', 'secret', 'privateKey']

/** A weak password could be guessed from its hash, which stands in the ledger. */
function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets)
  if (!value || typeof value !== 'object') return value
  const told = Object.entries(value).filter(([name]) => !secrets.includes(name))
  return Object.fromEntries(told.map(([name, each]) => [name, withoutSecrets(each)]))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!value || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([, each]) => each !== undefined)
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, each]) => [key, sorted(each)]))
}
