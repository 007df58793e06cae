// The environment's part of the configuration: addresses and secrets. Each secret may also be given as NAME_FILE, the path of a
// mounted file that holds it. Values never appear in a fault.

import { readFile } from 'node:fs/promises'
import type { SettingsFault } from './settings-error.ts'

export interface Environment {
  baseUrl: string | null
  key: string | null
  secret: string | null
  databaseUrl: string | null
  redisUrl: string | null
  dataDir: string
  logLevel: LogLevel | null
}

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const
type LogLevel = (typeof logLevels)[number]

type Env = Readonly<Record<string, string | undefined>>

/** The variables for the reference page: name, default, meaning. A star marks those that may also be given as NAME_FILE. */
export const environmentRows: readonly (readonly string[])[] = [
  ['`CREDSYNC_BASE_URL` *', 'required', "The service's base address. http:// is allowed for this machine only."],
  ['`CREDSYNC_KEY` *', 'required', 'The access key from the portal.'],
  ['`CREDSYNC_SECRET` *', 'required', 'The secret key from the portal.'],
  [
    '`DATABASE_URL` *',
    'embedded PostgreSQL',
    'Your PostgreSQL, postgres://…; without it one runs in the data directory.',
  ],
  ['`REDIS_URL` *', 'none', 'Redis or Valkey, redis://… or rediss://…, for several workers. Needs DATABASE_URL.'],
  ['`CREDSYNC_DATA_DIR`', '`./data`', 'Results files, and the embedded database where there is one.'],
  ['`CREDSYNC_LOG_LEVEL`', '`log.level` of the file', `One of ${logLevels.join(', ')}.`],
]

export async function readEnvironment(
  env: Env,
  faults: SettingsFault[],
  options: { storageOnly?: boolean } = {},
): Promise<Environment> {
  const required = !options.storageOnly
  const databaseUrl = await read(env, 'DATABASE_URL', faults)
  const redisUrl = await read(env, 'REDIS_URL', faults)
  const baseUrl = required
    ? await read(
        env,
        'CREDSYNC_BASE_URL',
        faults,
        "the service's base address, such as https://credentials.example.org",
      )
    : null
  const key = required ? await read(env, 'CREDSYNC_KEY', faults, 'the access key from the portal (API keys)') : null
  const secret = required
    ? await read(env, 'CREDSYNC_SECRET', faults, 'the secret key from the portal (API keys)')
    : null
  if (baseUrl && !isServiceAddress(baseUrl))
    faults.push({
      where: 'CREDSYNC_BASE_URL',
      sentence: 'is not an https:// address (http:// is allowed for this machine only)',
    })
  checkAddress('DATABASE_URL', databaseUrl, /^postgres(ql)?:\/\//, 'postgres://', faults)
  checkAddress('REDIS_URL', redisUrl, /^rediss?:\/\//, 'redis:// or rediss://', faults)
  if (redisUrl && !databaseUrl)
    faults.push({
      where: 'REDIS_URL',
      sentence:
        'is set without DATABASE_URL. Several workers need a database that all of them reach; set DATABASE_URL too',
    })
  const logLevel = logLevels.find((level) => level === env.CREDSYNC_LOG_LEVEL) ?? null
  if (env.CREDSYNC_LOG_LEVEL && !logLevel)
    faults.push({ where: 'CREDSYNC_LOG_LEVEL', sentence: `is not one of ${logLevels.join(', ')}` })
  return { baseUrl, key, secret, databaseUrl, redisUrl, dataDir: env.CREDSYNC_DATA_DIR || './data', logLevel }
}

function checkAddress(
  where: string,
  url: string | null,
  scheme: RegExp,
  begins: string,
  faults: SettingsFault[],
): void {
  if (!url) return
  if (!scheme.test(url)) faults.push({ where, sentence: `does not begin with ${begins}` })
  else if (!URL.canParse(url))
    faults.push({
      where,
      sentence: 'is not an address. A password with signs such as @ / # : must be percent-encoded (@ is %40)',
    })
}

async function read(env: Env, name: string, faults: SettingsFault[], meaning?: string): Promise<string | null> {
  const path = env[`${name}_FILE`]
  if (env[name] && path)
    faults.push({ where: name, sentence: `is given twice, as ${name} and as ${name}_FILE. Keep one` })
  if (env[name]) return env[name]
  if (path) {
    const text = await readFile(path, 'utf8').catch(() => null)
    if (text?.trim()) return text.trim()
    faults.push({
      where: `${name}_FILE`,
      sentence: text === null ? 'names a file that cannot be read' : 'names an empty file',
    })
    return null
  }
  if (meaning)
    faults.push({
      where: name,
      sentence: `is not set: ${meaning}. Set it, or ${name}_FILE with the path of a file that holds it`,
    })
  return null
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback)
}
