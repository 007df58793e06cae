// One connection to Redis or Valkey for short Lua scripts, each run whole or not at all.

import { createHash } from 'node:crypto'
import { Redis } from 'ioredis'
import { faultName } from '#src/log/fault-name.ts'
import { nextDelay } from '#src/retry/backoff.ts'
import { kindOf, noSuchDatabase, RedisUnreachableError, spoken, unconnected } from './redis-error.ts'

/** A Lua script and what it is called in errors. Make each once: its digest is kept by its text. */
export interface Script {
  name: string
  lua: string
}

export interface RedisConnection {
  /**
   * Runs `script` with KEYS and ARGV; answers what it returns (integers as numbers, bulk strings as text, nil as null, tables as arrays).
   * Fails at once while the connection is away, and after 2 s without an answer; it is never repeated after it may have run, so
   * after RedisUnreachableError nobody knows whether it did.
   * @throws RedisUnreachableError, RedisRefusedError
   */
  run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown>
  /** Whether the connection is up, as far as this process knows. */
  up(): boolean
  /** Scripts sent so far, those sent again with their text included. */
  sent(): number
  /** Ends the connection; what is under way fails. Does not wait for the server. */
  close(): void
}

export interface RedisOptions {
  /** redis:// or rediss:// (TLS, the certificate is checked). Holds a password. */
  url: string
  /** Shown by CLIENT LIST. Default `scripts`. */
  name?: string
  /** Told of every fault of the connection: where, and the error's class and code. */
  onFault?: (where: string, errorClass: string) => void
}

/** A script takes well under a millisecond; one that is not answered by then is of no use to anybody. */
const answerMs = 2_000

/** How long the first connection may take. */
const openMs = 5_000

const reconnecting = { baseMs: 50, capMs: 1_000 }

/**
 * Connects. Later losses of the connection mend themselves; the first must work, so that a wrong address is told at once.
 * @throws RedisUnreachableError, RedisRefusedError
 */
export async function openRedis({ url, name = 'scripts', onFault }: RedisOptions): Promise<RedisConnection> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectionName: `credsync-${name}`,
    connectTimeout: openMs,
    commandTimeout: answerMs,
    // A connection that is silent for this long with something asked is dead, whatever the kernel thinks.
    socketTimeout: 2 * answerMs,
    // Nothing waits for a connection and nothing is sent again on the next one: a script that takes a slot, or a token, must
    // not run when its caller has long gone. With 0 everything unanswered fails as the connection closes.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    retryStrategy: (times) => nextDelay(times, reconnecting),
    // After a failover the old primary answers as a replica: another connection finds the new one.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  })
  // Without a listener ioredis prints the error, address included.
  let why: unknown = null
  redis.on('error', (error) => {
    why = error
    onFault?.(`redis ${name}`, faultName(error))
  })
  try {
    await redis.connect()
    // A database number that is refused leaves ioredis connected, to another database than was named.
    if (kindOf(why) === noSuchDatabase) throw why
  } catch (error) {
    redis.disconnect()
    // The rejection says "closed"; why is what the connection said before.
    throw unconnected('connect', why ?? error, url)
  }
  return new ScriptConnection(redis)
}

class ScriptConnection implements RedisConnection {
  readonly #redis: Redis
  readonly #digests = new Map<string, string>()
  #sent = 0

  constructor(redis: Redis) {
    this.#redis = redis
  }

  async run(script: Script, keys: readonly string[], args: readonly (string | number)[]): Promise<unknown> {
    if (!this.up()) throw new RedisUnreachableError(script.name, 'not connected')
    try {
      this.#sent += 1
      return await this.#redis.evalsha(this.#digestOf(script), keys.length, ...keys, ...args)
    } catch (error) {
      if (kindOf(error) !== 'NOSCRIPT') throw spoken(script.name, error)
    }
    // Redis has forgotten the script, by a restart or SCRIPT FLUSH, and so has not run it: sent once more with its text.
    try {
      this.#sent += 1
      return await this.#redis.eval(script.lua, keys.length, ...keys, ...args)
    } catch (error) {
      throw spoken(script.name, error)
    }
  }

  up(): boolean {
    return this.#redis.status === 'ready'
  }

  sent(): number {
    return this.#sent
  }

  close(): void {
    this.#redis.disconnect()
  }

  #digestOf({ lua }: Script): string {
    const known = this.#digests.get(lua)
    if (known) return known
    const made = createHash('sha1').update(lua).digest('hex')
    this.#digests.set(lua, made)
    return made
  }
}
