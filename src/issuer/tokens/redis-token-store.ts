// Keeps the token that all processes of one account share: sealed, in Redis, and renewed by the process that holds the
// renewal turn.

import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  randomUUID,
} from 'node:crypto'
import { z } from 'zod'
import { parseBaseUrl } from '#src/issuer/http/base-url.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { RunScript } from '#src/platform/redis/open-redis.ts'
import type { ServiceAccount } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { defaultLeaseMs, type RenewalTurn, type TakeResult, type TokenStore } from './token-store.ts'

const repliesShape = z.union([
  z.tuple([z.literal('wait')]),
  z.tuple([z.literal('token'), z.number(), z.string(), z.coerce.number(), z.string()]),
  z.tuple([z.literal('turn'), z.number(), z.string(), z.string()]),
])

export interface RedisTokenStoreOptions extends ServiceAccount {
  run: RunScript
  clock: Clock
  /** See defaultLeaseMs. */
  leaseMs?: number
  /**
   * Called with the operation and the error class once when the store stops answering, and again only after it has
   * recovered.
   */
  onFault?: (operation: string, errorClass: string) => void
}

/**
 * A value that cannot be unsealed is treated as absent. If Redis does not answer, or gives an unexpected reply, the
 * store is treated as unavailable.
 * @throws BaseUrlError
 */
export function openRedisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const { run, clock, leaseMs = defaultLeaseMs, onFault, ...account } = options
  const { name, seal, open } = openTokenSeal(account)
  const keys = [`credsync:token:${name}`]
  const accessOf = (turnId: string) => `access ${turnId}`
  const refreshOf = (turnId: string) => `refresh ${turnId}`

  let isFaultReported = false

  async function runOrNull(
    script: { name: string; lua: string },
    args: readonly (string | number)[],
  ): Promise<unknown> {
    try {
      const reply = await run(script, keys, args)
      isFaultReported = false
      return reply
    } catch (error) {
      if (!isFaultReported) onFault?.('shared token', faultName(error))
      isFaultReported = true
      return null
    }
  }

  async function take(knownTurnId: string | null): Promise<TakeResult> {
    const newTurnId = randomUUID()
    const requestedMs = clock.monotonicMs()
    const { data: reply } = repliesShape.safeParse(await runOrNull(takeScript, [newTurnId, knownTurnId ?? '', leaseMs]))
    if (!reply) return { kind: 'unavailable' }
    if (reply[0] === 'wait') return { kind: 'wait' }
    const [, nowMs, turnId] = reply
    if (reply[0] === 'turn') return { kind: 'turn', turn: begin(newTurnId, nowMs, open(refreshOf(turnId), reply[3])) }
    const access = open(accessOf(turnId), reply[4])
    // With the id of the unreadable token, the next reply is either a turn or a newer token.
    if (access === null) return take(turnId)
    // The age is counted back from before the request, because the token had the reported age only after that. Redis
    // rounds milliseconds down, so one is added to the age.
    return { kind: 'token', token: { turnId, access, bornMs: requestedMs - Math.max(0, nowMs - reply[3]) - 1 } }
  }

  /** @param nowMs Redis's clock, read before this call: everything this process does from here on is later */
  function begin(turnId: string, nowMs: number, refresh: string | null): RenewalTurn {
    const receivedMs = clock.monotonicMs()
    return {
      turnId,
      refresh,
      lease: {
        extendAfterMs: leaseMs / 3,
        async extend() {
          await runOrNull(keepScript, [turnId, leaseMs])
        },
      },
      async put(pair) {
        // The time at which the token call was sent, on Redis's clock, however late this value reaches Redis.
        const bornMs = Math.floor(nowMs + pair.bornMs - receivedMs)
        const next = pair.refresh === null ? '' : seal(refreshOf(turnId), pair.refresh)
        return (await runOrNull(putScript, [turnId, bornMs, seal(accessOf(turnId), pair.access), next])) === 1
      },
      async giveUp() {
        await runOrNull(keepScript, [turnId, 0])
      },
    }
  }

  return { take }
}

// The scripts below run atomically. One hash holds everything about an account: the last turn and when it expires, the
// sealed token with its creation time and the turn that made it, and the sealed refresh token. All times come from
// Redis's clock, so the clocks of the other machines do not matter. A jump in Redis's clock costs at most one token
// call: ages are capped where they are read, and a turn that would last longer than a lease is ignored.
const now = `local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)`

// The lifetime of a refresh token (service's documentation: 30 days). The whole entry expires with it.
const keptForMs = 30 * 24 * 3_600_000

/** Returns a token, a turn or "wait". ARGV: id of the requested turn, turn id of the known token, lease in ms. */
const takeScript = {
  name: 'take token turn',
  lua: `${now}
local h = redis.call('HMGET', KEYS[1], 'until', 'made', 'born', 'access', 'refresh')
local ends = tonumber(h[1] or '0') or 0
if ends > now and ends <= now + ARGV[3] then return {'wait'} end
if h[2] and h[2] ~= ARGV[2] then return {'token', now, h[2], h[3] or '0', h[4] or ''} end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', now + ARGV[3])
redis.call('PEXPIRE', KEYS[1], ${keptForMs})
return {'turn', now, h[2] or '', h[5] or ''}`,
}

/** Extends a turn. ARGV: id of the turn, lease in ms (0 ends the turn). */
const keepScript = {
  name: 'keep token turn',
  lua: `${now}
if redis.call('HGET', KEYS[1], 'turn') ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[1], 'until', now + ARGV[2])
return 1`,
}

/**
 * Stores a token. ARGV: id of the turn, when the token was created (ms on the clock of Redis), sealed token, sealed
 * refresh token or an empty string.
 */
const putScript = {
  name: 'put token',
  lua: `local turn = redis.call('HGET', KEYS[1], 'turn')
-- An expired turn is still valid if no other has begun since; so is a turn that is missing because Redis was emptied.
if turn and turn ~= ARGV[1] then return 0 end
redis.call('HDEL', KEYS[1], 'refresh')
redis.call('HSET', KEYS[1], 'turn', ARGV[1], 'until', 0, 'made', ARGV[1], 'born', ARGV[2], 'access', ARGV[3])
if ARGV[4] ~= '' then redis.call('HSET', KEYS[1], 'refresh', ARGV[4]) end
redis.call('PEXPIRE', KEYS[1], ${keptForMs})
return 1`,
}

const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

interface TokenSeal {
  /** A name for this account that reveals nothing about it: 64 hexadecimal digits. */
  name: string
  /** @param label identifies the kind of value; `open` needs the same label */
  seal(label: string, text: string): string
  /**
   * Returns null for anything that this account did not seal under this label, and for anything that has been changed
   * since.
   */
  open(label: string, sealed: string): string | null
}

/**
 * Encrypts values that are stored outside this process: only processes with the same secret, for the same key and
 * service, can find and read them. Uses AES-256-GCM and HMAC-SHA-256 with keys derived (HKDF) from the account's
 * secret; each purpose has its own key.
 * @throws BaseUrlError
 */
export function openTokenSeal({ baseUrl, key, secret }: ServiceAccount): TokenSeal {
  const { origin, prefix } = parseBaseUrl(baseUrl)
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret.reveal(), '', `credsync ${purpose} 1`, 32)))
  const sealing = derive('token seal')
  // This digest binds the service and key without storing either in plain text.
  const name = createHmac('sha256', derive('token name'))
    .update(JSON.stringify([origin + prefix, key.reveal()]))
    .digest('hex')
  const bound = (label: string) => Buffer.from(JSON.stringify([name, label]))

  return {
    name,
    seal(label, text) {
      const iv = randomBytes(ivBytes)
      const sealer = createCipheriv(cipher, sealing, iv, { authTagLength: tagBytes }).setAAD(bound(label))
      const body = Buffer.concat([sealer.update(text, 'utf8'), sealer.final()])
      return Buffer.concat([iv, sealer.getAuthTag(), body]).toString('base64url')
    },
    open(label, sealed) {
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < ivBytes + tagBytes) return null
      const opener = createDecipheriv(cipher, sealing, bytes.subarray(0, ivBytes), { authTagLength: tagBytes })
      opener.setAAD(bound(label)).setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
      try {
        return Buffer.concat([opener.update(bytes.subarray(ivBytes + tagBytes)), opener.final()]).toString('utf8')
      } catch {
        return null
      }
    },
  }
}
