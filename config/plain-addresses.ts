// Finds addresses of other machines that are used without TLS, and refuses them unless their host is listed in
// CREDSYNC_ALLOW_PLAIN. Pure, except that it appends to the list of faults.

import { z } from 'zod'
import { systemKinds } from '#src/lms/systems/registry.ts'
import { targetKinds } from '#src/lms/targets/registry.ts'
import { isOwnMachine } from '#src/platform/own-machine.ts'
import type { SettingsFault } from './settings-error.ts'

/** A setting with an address that is not protected by TLS. */
export interface PlainAddress {
  where: string
  host: string
  /** How to protect the connection, as the beginning of a sentence. */
  remedy: string
}

export interface Addresses {
  databaseUrl: string | null
  redisUrl: string | null
  /** The host that pg uses if the address of the database names none. */
  pgHost?: string | undefined
  /**
   * The configuration file, as read or as parsed, so that other faults in it do not hide an address. Omitted if only
   * the database and Redis are checked.
   */
  file?: unknown
}

/**
 * Returns the addresses that are not protected by TLS. LTI platforms are not included, because nothing is sent to them
 * over plain HTTP, whatever is allowed.
 */
export function plainAddresses({ databaseUrl, redisUrl, pgHost, file }: Addresses): PlainAddress[] {
  const { systems, pipelines } = addressesSchema.parse(file)
  return [
    ...databaseAddresses(databaseUrl, pgHost),
    ...redisAddresses(redisUrl),
    ...Object.entries(systems).flatMap(([name, system]) => {
      const addressKey = systemKinds.find(({ type }) => type === system.type)?.address
      return addressKey ? httpAddresses(`systems.${name}.${addressKey}`, system[addressKey] ?? '') : []
    }),
    ...Object.entries(pipelines).flatMap(([name, { writeBack }]) =>
      writeBack.flatMap((target, index) => {
        const addressKey = targetKinds.find(({ to }) => to === target.to)?.address
        return addressKey
          ? httpAddresses(`pipelines.${name}.writeBack.${index}.${addressKey}`, target[addressKey] ?? '')
          : []
      }),
    ),
  ]
}

// Schemas that extract the addresses of a file, even if other parts of the file are invalid.
const stringOrEmpty = z.string().catch('')
const systemSchema = z.object({ type: stringOrEmpty }).catchall(stringOrEmpty).catch({ type: '' })
const targetSchema = z.object({ to: stringOrEmpty }).catchall(stringOrEmpty).catch({ to: '' })
const pipelineSchema = z.object({ writeBack: z.array(targetSchema).catch([]) }).catch({ writeBack: [] })
const addressesSchema = z
  .object({
    systems: z.record(z.string(), systemSchema).catch({}),
    pipelines: z.record(z.string(), pipelineSchema).catch({}),
  })
  .catch({ systems: {}, pipelines: {} })

/** Returns the hosts of CREDSYNC_ALLOW_PLAIN in lower case. */
export function hostsAllowedPlain(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').flatMap((each) => each.trim().toLowerCase() || [])
}

/** Appends a fault for each address without TLS whose host is not in `allowed`. */
export function refusePlainAddresses(addresses: Addresses, allowed: readonly string[], faults: SettingsFault[]): void {
  for (const { where, host, remedy } of plainAddresses(addresses))
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
  const host = normalHost(url.hostname || url.searchParams.get('host') || '')
  return host === '' || isOwnMachine(host) ? [] : [{ where: 'REDIS_URL', host, remedy: 'Begin it with rediss://' }]
}

function httpAddresses(where: string, text: string): PlainAddress[] {
  const url = URL.parse(text)
  if (url?.protocol !== 'http:' || isOwnMachine(url.hostname)) return []
  return [{ where, host: normalHost(url.hostname), remedy: 'Begin it with https://' }]
}

const normalHost = (host: string) => host.toLowerCase().replace(/^\[(.+)\]$/, '$1')
