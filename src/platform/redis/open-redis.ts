// Opens a connection to Redis or Valkey for running short, atomic Lua scripts.

import { createHash } from 'node:crypto'
import { type RedisOptions as ConnectionOptions, Redis } from 'ioredis'
import { nextDelay } from '#src/platform/backoff.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { deniedRules } from './denied-commands.ts'
import { quietInfo } from './quiet-info.ts'
import { connectionError, kindOf, RedisUnreachableError, safeRedisError } from './redis-error.ts'

/** A Lua script, with a name for error messages. */
export interface Script {
  name: string
  lua: string
}

/**
 * Runs `script` with KEYS and ARGV; returns its result (integers as numbers, bulk strings as text, nil as null, tables
 * as arrays). Fails immediately while the connection is down, and after 2 s without an answer. A script that may have
 * run is never sent again, so after RedisUnreachableError it is unknown whether the script ran.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export type RunScript = (
  script: Script,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>

export type RedisConnection = Awaited<ReturnType<typeof openRedis>>

export interface RedisOptions {
  /** redis:// or rediss:// (TLS; the certificate is checked). Contains a password. */
  url: string
  /** Shown by CLIENT LIST. Default `scripts`. */
  name?: string
  /** Called with every fault after the first connection: the name of the connection, and the error's class and code. */
  onFault?: (where: string, errorClass: string) => void
}

/** A script takes well under a millisecond; an answer later than this would be useless. */
const answerMs = 2_000

/** The time limit for the first connection. */
const openMs = 5_000

const reconnecting = { baseMs: 50, capMs: 1_000 }

/**
 * Connects. Later losses of the connection recover by themselves; the first attempt must succeed, so that a wrong
 * address is reported immediately.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export async function openRedis({ url, name = 'scripts', onFault }: RedisOptions) {
  const redis = await connectTo(url, 'connect', {
    connectionName: `credsync-${name}`,
    connectTimeout: openMs,
    commandTimeout: answerMs,
    // If a pending command gets no answer for this long, the connection has failed, whatever the kernel reports.
    socketTimeout: 2 * answerMs,
    // No command waits for a connection or is sent again on the next one: a script that takes a slot, or a token, must
    // not run after its caller has given up. With 0, everything unanswered fails when the connection closes.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => nextDelay(times, reconnecting),
    // After a failover the old primary answers as a replica: a new connection finds the new primary.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  redis.on('error', (error) => onFault?.(`redis ${name}`, faultName(error)))
  const digests = new Map<string, string>()
  let sent = 0
  const up = () => redis.status === 'ready'
  const run: RunScript = async (script, keys, args) => {
    if (!up()) throw new RedisUnreachableError(script.name, 'not connected')
    const digest = digests.get(script.lua) ?? createHash('sha1').update(script.lua).digest('hex')
    digests.set(script.lua, digest)
    try {
      sent += 1
      return await redis.evalsha(digest, keys.length, ...keys, ...args)
    } catch (error) {
      if (kindOf(error) !== 'NOSCRIPT') throw safeRedisError(script.name, error)
    }
    // After a restart or SCRIPT FLUSH, Redis no longer has the script and has not run it, so it is sent once more with
    // its text.
    try {
      sent += 1
      return await redis.eval(script.lua, keys.length, ...keys, ...args)
    } catch (error) {
      throw safeRedisError(script.name, error)
    }
  }
  return {
    run,
    /** Whether the connection is up, as far as this process knows. */
    up,
    /** Returns how many scripts have been sent so far, including those sent a second time with their text. */
    sent: () => sent,
    /** Returns the ACL rules (`+time`) that the user of the connection lacks. */
    deniedRules: () => deniedRules(redis),
    /** Ends the connection; running scripts fail. Does not wait for the server. */
    close: () => redis.disconnect(),
  }
}

/**
 * Makes a first connection.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export async function connectTo(
  url: string,
  what: string,
  options: Omit<ConnectionOptions, 'replyMapping'>,
): Promise<Redis> {
  const redis = quietInfo(new Redis(url, { ...options, lazyConnect: true, disableClientInfo: true }))
  // Without a listener ioredis prints the error, including the address.
  let connectionFault: unknown = null
  redis.on('error', (error) => {
    connectionFault = error
  })
  try {
    await redis.connect()
    // A refused database number leaves ioredis connected to a different database from the one named.
    if (kindOf(connectionFault) !== null) throw connectionFault
  } catch (error) {
    redis.disconnect()
    // The rejection only reports a closed connection. The actual cause is the connection's earlier error.
    throw connectionError(what, connectionFault ?? error, url)
  }
  return redis
}
