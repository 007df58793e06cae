// The token of all processes that use one account: sealed, in Redis, renewed by whoever has the turn.

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { faultName } from '#src/log/fault-name.ts'
import type { Clock } from '#src/time/clock.ts'
import { keepScript, putScript, type RunScript, takeScript } from './token-scripts.ts'
import { type Account, openTokenSeal } from './token-seal.ts'
import { type RenewalTurn, type Taken, type TokenStore, usualLeaseMs } from './token-store.ts'

const repliesShape = z.union([
  z.tuple([z.literal('wait')]),
  z.tuple([z.literal('token'), z.number(), z.string(), z.coerce.number(), z.string()]),
  z.tuple([z.literal('turn'), z.number(), z.string(), z.string()]),
])

export interface RedisTokenStoreOptions extends Account {
  run: RunScript
  clock: Clock
  /** See usualLeaseMs. */
  leaseMs?: number
  /** Told when the store stops to answer, once until it answers again: where, and the error's class. */
  onFault?: (where: string, errorClass: string) => void
}

/** What cannot be opened counts as absent; a Redis that does not answer, or not in this way, as away. Throws BaseUrlError. */
export function openRedisTokenStore(options: RedisTokenStoreOptions): TokenStore {
  const { run, clock, leaseMs = usualLeaseMs, onFault, ...account } = options
  const { name, seal, open } = openTokenSeal(account)
  const keys = [`credsync:token:${name}`]
  const accessOf = (made: string) => `access ${made}`
  const refreshOf = (made: string) => `refresh ${made}`

  let told = false

  async function quietly(script: { name: string; lua: string }, args: readonly (string | number)[]): Promise<unknown> {
    try {
      const reply = await run(script, keys, args)
      told = false
      return reply
    } catch (error) {
      if (!told) onFault?.('shared token', faultName(error))
      told = true
      return null
    }
  }

  async function take(known: string | null): Promise<Taken> {
    const mine = randomUUID()
    const askedMs = clock.monotonicMs()
    const { data: reply } = repliesShape.safeParse(await quietly(takeScript, [mine, known ?? '', leaseMs]))
    if (!reply) return { kind: 'away' }
    if (reply[0] === 'wait') return { kind: 'wait' }
    const [, nowMs, made] = reply
    if (reply[0] === 'turn') return { kind: 'turn', turn: begin(mine, nowMs, open(refreshOf(made), reply[3])) }
    const access = open(accessOf(made), reply[4])
    // Known for what it is, the next answer is a turn, or what somebody else put there meanwhile.
    if (access === null) return take(made)
    // Counted from before the question: the age that Redis tells was reached after that. Its milliseconds are rounded down, hence one more.
    return { kind: 'token', token: { made, access, bornMs: askedMs - Math.max(0, nowMs - reply[3]) - 1 } }
  }

  /** `nowMs` of Redis, which was read before this is called: what this process does from here on is later. */
  function begin(made: string, nowMs: number, refresh: string | null): RenewalTurn {
    const heardMs = clock.monotonicMs()
    return {
      made,
      refresh,
      keepUpMs: leaseMs / 3,
      async keepUp() {
        await quietly(keepScript, [made, leaseMs])
      },
      async put(pair) {
        // The moment of sending on Redis's clock, however late this arrives there.
        const bornMs = Math.floor(nowMs + pair.bornMs - heardMs)
        const next = pair.refresh === null ? '' : seal(refreshOf(made), pair.refresh)
        return (await quietly(putScript, [made, bornMs, seal(accessOf(made), pair.access), next])) === 1
      },
      async giveUp() {
        await quietly(keepScript, [made, 0])
      },
    }
  }

  return { take }
}
