// Finds addresses of other machines that are used without TLS, and refuses them unless their host is listed in
// CREDSYNC_ALLOW_PLAIN. addresses-without-tls-in-file.ts finds those of the configuration file. Pure, except that it appends
// to the list of faults.

import { isOwnMachine } from '#src/platform/own-machine.ts'
import type { SettingsFault } from './read-variable.ts'

/** A setting with an address that is not protected by TLS. */
export interface PlainAddress {
  where: string
  host: string
  /** How to protect the connection, as the beginning of a sentence. */
  remedy: string
}

export interface StorageAddresses {
  databaseUrl: string | null
  redisUrl: string | null
  /** The host that pg uses if the address of the database names none. */
  pgHost?: string | undefined
}

/** Returns those of the addresses that are not protected by TLS. */
export function plainStorageAddresses({ databaseUrl, redisUrl, pgHost }: StorageAddresses): PlainAddress[] {
  return [...databaseAddresses(databaseUrl, pgHost), ...redisAddresses(redisUrl)]
}

/** Returns the hosts of CREDSYNC_ALLOW_PLAIN in lower case. */
export function hostsAllowedPlain(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((each) => each.trim().toLowerCase() || [])
}

/** Appends a fault for each address without TLS whose host is not in `allowed`. */
export function refusePlainAddresses(
  found: readonly PlainAddress[],
  allowed: readonly string[],
  faults: SettingsFault[],
): void {
  for (const { where, host, remedy } of found)
    if (!allowed.includes(host))
      faults.push({
        where,
        sentence: `leads to another machine without TLS, so the data could be read and changed on the way. ${remedy}, or, if the network is your own, list its host in CREDSYNC_ALLOW_PLAIN`,
      })
}

/**
 * Reads an address as pg does: a host among the parameters takes precedence, and begins with a slash if it is a socket.
 */
function databaseAddresses(text: string | null, pgHost = ''): PlainAddress[] {
  const url = text === null ? null : URL.parse(text)
  if (!url?.protocol.startsWith('postgres')) return []
  const lastValueOf = (name: string) => url.searchParams.getAll(name).at(-1) ?? ''
  const host = normalHost(lastValueOf('host') || url.hostname || pgHost)
  const mode = lastValueOf('sslmode')
  // This parameter gives `require` the meaning that it has in libpq: encrypted, but without checking the server.
  const strict = lastValueOf('uselibpqcompat') !== 'true'
  const checked = mode === 'verify-full' || (strict && (mode === 'require' || mode === 'verify-ca'))
  if (checked || host === '' || /^(\/|%2f)/.test(host) || isOwnMachine(host)) return []
  return [{ where: 'DATABASE_URL', host, remedy: 'End it with ?sslmode=verify-full' }]
}

function redisAddresses(text: string | null): PlainAddress[] {
  const url = text === null ? null : URL.parse(text)
  if (url?.protocol !== 'redis:') return []
  const host = normalHost(url.hostname)
  return host === '' || isOwnMachine(host) ? [] : [{ where: 'REDIS_URL', host, remedy: 'Begin it with rediss://' }]
}

/** Returns the address of the setting `where` if it is not protected by TLS. */
export function plainHttpAddresses(where: string, text: string): PlainAddress[] {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || isOwnMachine(url.hostname)) return []
  return [{ where, host: normalHost(url.hostname), remedy: 'Begin it with https://' }]
}

export const normalHost = (host: string) => host.toLowerCase().replace(/[[\]]/g, '')
