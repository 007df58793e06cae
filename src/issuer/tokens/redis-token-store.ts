// Keeps the token that all processes of one account share: sealed, in Redis, and renewed by the process that holds the
// renewal turn.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { RunScript } from '#src/platform/redis/open-redis.ts'
import type { ServiceAccount } from '#src/platform/secret.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { keepScript, putScript, takeScript } from './token-scripts.ts'
import { openTokenSeal } from './token-seal.ts'
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
   * Called with the operation and the error class when the store stops answering, and not again until it has answered.
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
