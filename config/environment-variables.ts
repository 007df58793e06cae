// Reads and checks the environment variables: addresses, secrets and paths. Each address and secret may also be given
// as NAME_FILE, the path of a mounted file that contains it. Faults never contain values.

import { isOwnMachine } from '#src/platform/own-machine.ts'
import { hostsAllowedPlain, plainStorageAddresses, refusePlainAddresses } from './addresses-without-tls.ts'
import { type Env, readVariable, type SettingsFault } from './read-variable.ts'

const logLevels = ['debug', 'info', 'warn', 'error', 'silent'] as const

/**
 * The variables for the reference page: name, default, meaning. A star marks those that may also be given as NAME_FILE.
 */
export const environmentRows: readonly (readonly string[])[] = [
  ['`CREDSYNC_BASE_URL` *', 'required', "The service's base address. http:// is allowed for this machine only."],
  ['`CREDSYNC_KEY` *', 'required', 'The access key from the portal.'],
  ['`CREDSYNC_SECRET` *', 'required', 'The secret key from the portal.'],
  [
    '`DATABASE_URL` *',
    'embedded PostgreSQL',
    'Your PostgreSQL, postgres://…. If omitted, an embedded PostgreSQL runs in the data directory.',
  ],
  ['`REDIS_URL` *', 'none', 'Redis or Valkey, redis://… or rediss://…, for several workers. Needs DATABASE_URL.'],
  [
    '`CREDSYNC_ALLOW_PLAIN`',
    'none',
    'Hosts, separated by commas, that may be contacted without TLS: PostgreSQL, Redis, a Moodle site, a Canvas site, a webhook, a mail server. This machine is always allowed.',
  ],
  ['`CREDSYNC_DATA_DIR`', '`./data`', 'The folder for results files, and for the embedded database if there is one.'],
  [
    '`CREDSYNC_HASH_KEY` *',
    'in the database',
    '64 hexadecimal digits (`openssl rand -hex 32`): the key of the hashes by which the ledger recognizes people ([privacy](../docs/privacy.md#what-a-dump-gives-away)). Set it before the first start, and never lose it.',
  ],
  ['`PGHOST`', 'none', 'The host of PostgreSQL, when `DATABASE_URL` names none.'],
  ['`PGPORT`', 'none', 'The port of PostgreSQL, when `DATABASE_URL` names none.'],
  ['`PGOPTIONS`', 'none', 'Refused: it would change the settings of our connections.'],
  [
    '`NODE_TLS_REJECT_UNAUTHORIZED`',
    'none',
    'Refused when it is 0. For a certificate authority of your own: `NODE_EXTRA_CA_CERTS`, the path of its certificate.',
  ],
  ['`CREDSYNC_LOG_LEVEL`', '`log.level` of the file', `One of ${logLevels.join(', ')}.`],
]

/**
 * Reads the variables, and appends everything that is wrong with them to `faults`.
 * @param options.storageOnly leaves out the address and the keys of the service, which are null then
 */
export async function readEnvironment(env: Env, faults: SettingsFault[], options: { storageOnly?: boolean } = {}) {
  const required = !options.storageOnly
  refuseUnsafeVariables(env, faults)
  const databaseUrl = withHost(await readVariable(env, 'DATABASE_URL', faults))
  const redisUrl = await readVariable(env, 'REDIS_URL', faults)
  const readRequired = (name: string, meaning: string) => (required ? readVariable(env, name, faults, meaning) : null)
  const baseUrl = await readRequired(
    'CREDSYNC_BASE_URL',
    "the service's base address, such as https://credentials.example.org",
  )
  const key = await readRequired('CREDSYNC_KEY', 'the access key from the portal (API keys)')
  const secret = await readRequired('CREDSYNC_SECRET', 'the secret key from the portal (API keys)')
  if (baseUrl && !isServiceAddress(baseUrl))
    faults.push({
      where: 'CREDSYNC_BASE_URL',
      sentence: 'is not an https:// address (http:// is allowed for this machine only)',
    })
  checkAddress('DATABASE_URL', databaseUrl, /^postgres(ql)?:\/\//, 'postgres://', faults)
  checkAddress('REDIS_URL', redisUrl, /^rediss?:\/\//, 'redis:// or rediss://', faults)
  const allowPlain = hostsAllowedPlain(env.CREDSYNC_ALLOW_PLAIN)
  if (allowPlain.some((host) => !/^[a-z0-9._:-]+$/.test(host)))
    faults.push({
      where: 'CREDSYNC_ALLOW_PLAIN',
      sentence:
        'is not a list of hosts, such as postgres,valkey: names or addresses, without a scheme and without a port',
    })
  const plainAddresses = plainStorageAddresses({ databaseUrl, redisUrl, pgHost: env.PGHOST })
  refusePlainAddresses(plainAddresses, allowPlain, faults)
  if (redisUrl && !databaseUrl)
    faults.push({
      where: 'REDIS_URL',
      sentence:
        'is set without DATABASE_URL. Several workers need a database that all of them can reach; set DATABASE_URL too',
    })
  const hashKey = await readVariable(env, 'CREDSYNC_HASH_KEY', faults)
  if (hashKey && !/^[0-9a-f]{64}$/i.test(hashKey))
    faults.push({
      where: 'CREDSYNC_HASH_KEY',
      sentence: 'is not 64 hexadecimal digits. `openssl rand -hex 32` makes a key',
    })
  const logLevel = logLevels.find((level) => level === env.CREDSYNC_LOG_LEVEL) ?? null
  if (env.CREDSYNC_LOG_LEVEL && !logLevel)
    faults.push({ where: 'CREDSYNC_LOG_LEVEL', sentence: `is not one of ${logLevels.join(', ')}` })
  return {
    baseUrl,
    key,
    secret,
    databaseUrl,
    redisUrl,
    /** 64 hexadecimal digits. */
    hashKey,
    dataDir: env.CREDSYNC_DATA_DIR || './data',
    logLevel,
    /** Hosts that may be contacted without TLS. */
    allowPlain,
  }
}

function checkAddress(
  where: 'DATABASE_URL' | 'REDIS_URL',
  url: string | null,
  scheme: RegExp,
  expectedStart: string,
  faults: SettingsFault[],
): void {
  if (!url) return
  const isEncoded = isValidlyEncoded(url)
  const sentence = isEncoded ? misreading(where, url) : null
  if (!scheme.test(url)) faults.push({ where, sentence: `does not begin with ${expectedStart}` })
  else if (!isEncoded)
    faults.push({
      where,
      sentence:
        'contains a space, or a % that encodes no character, and could be read as a different address. Write %20 for a space in a name or password, and %25 for a %',
    })
  else if (sentence !== null) faults.push({ where, sentence })
  else if (!URL.canParse(url))
    faults.push({
      where,
      sentence: 'is not an address. A password with characters such as @ / # : must be percent-encoded (@ is %40)',
    })
}

// Each driver corrects invalid encoding in a different way, and might then connect to another address than the one that
// was checked.
function isValidlyEncoded(url: string): boolean {
  if (/[\s\p{Cc}]|%(?![0-9a-f]{2})/iu.test(url)) return false
  try {
    decodeURIComponent(url)
    return true
  } catch {
    // For example %ff, which is not UTF-8.
    return false
  }
}

function isServiceAddress(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, hostname } = new URL(text)
  return protocol === 'https:' || (protocol === 'http:' && isOwnMachine(hostname))
}

/** Refuses variables of Node and of PostgreSQL's programs that would break our guarantees. */
function refuseUnsafeVariables(env: Env, faults: SettingsFault[]): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0')
    faults.push({
      where: 'NODE_TLS_REJECT_UNAUTHORIZED',
      sentence:
        'is 0: certificates would not be checked, and anyone on the network path to the server could read the keys. Unset it; for a certificate authority of your own, set NODE_EXTRA_CA_CERTS to the path of its certificate (PEM)',
    })
  // An invalid port would end the process without a message.
  if (env.PGPORT && !/^\d{1,5}$/.test(env.PGPORT))
    faults.push({ where: 'PGPORT', sentence: 'is not a port. Give a number from 1 to 65535, or unset it' })
  if (env.PGOPTIONS)
    faults.push({ where: 'PGOPTIONS', sentence: 'would change the settings of our connections. Unset it' })
}

/**
 * Adds a host to an address that names its host only as a parameter, as libpq allows
 * (postgres://me@/ledger?host=/run/postgresql), because without a host it is not a URL. pg prefers the parameter.
 */
function withHost(text: string | null): string | null {
  return text && !URL.canParse(text) && /[?&]host=[^&]/.test(text) ? text.replace('@/', '@localhost/') : text
}

/**
 * Returns what is wrong with an address of PostgreSQL or Redis, as the end of a sentence; null if its driver reads it
 * as it is written. With a misread address, another server or database might be used.
 */
function misreading(where: 'DATABASE_URL' | 'REDIS_URL', text: string): string | null {
  if (text.includes('#'))
    return 'contains a #, and everything after it would be ignored. It must be percent-encoded (%23)'
  const url = URL.parse(text)
  const hosts = url?.searchParams.getAll('host') ?? []
  const authority = text.split(/[/?]/)[2] ?? ''
  if (
    authority.slice(authority.lastIndexOf('@') + 1).includes(',') ||
    hosts.some((host) => host.includes(',')) ||
    (hosts.length > 0 && /^%2f/i.test(url?.hostname ?? ''))
  )
    return 'names several hosts, and only one is possible. Name the primary, or an address that always leads to it'
  const parameters = [...(url?.searchParams.keys() ?? [])].filter((name) => !allowedParameters[where].includes(name))
  if (parameters.length > 0)
    return `has the parameter ${parameters.join(' and ')}, which would be ignored, or replace TLS, the server or our own settings of the connection. Remove it: only ${allowedParameters[where].join(', ')} are allowed`
  return url && (where === 'DATABASE_URL' ? misreadByPg(url) : misreadByIoredis(url))
}

/**
 * Both drivers take their own options as parameters, such as timeouts, the schema or an empty `tls` that turns TLS off,
 * and ignore others that libpq knows.
 */
const allowedParameters = {
  DATABASE_URL: ['host', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey', 'uselibpqcompat', 'channel_binding'],
  REDIS_URL: ['db', 'family'],
}

function misreadByPg({ pathname }: URL): string | null {
  if (decodeURI(pathname) === decodeURIComponent(pathname)) return null
  return 'has an encoded character in the name of the database that would stay encoded. Write @ / : ; & = + $ and , there as they are; names with # or ? cannot be used'
}

function misreadByIoredis({ hostname, pathname }: URL): string | null {
  if (/^\/?\d*$/.test(pathname) && !hostname.includes('%')) return null
  return 'may have only the number of a database after its host, as in redis://127.0.0.1:6379/2. A Unix socket cannot be used'
}
