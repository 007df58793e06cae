// Where slots are tried out on a clock that only a test moves: in this process, or in a real Redis whose scripts are told the time.

import { onTestFinished } from 'vitest'
import { openLocalSlots } from '#src/limits/local-slots.ts'
import { openRedisSlots } from '#src/limits/redis-slots.ts'
import type { RunScript } from '#src/limits/slot-desk.ts'
import type { Slots } from '#src/limits/slots.ts'
import { openRedis } from '#src/redis/open-redis.ts'
import { steppedClock } from '#test/support/clock.ts'

export interface Stage {
  /** Slots of one allowance. Where they can be shared, each call is another process. */
  open(limit: number, marginMs?: number, onLimit?: (limit: number) => void): Slots
  now(): number
  pass(ms: number): Promise<void>
  /** The same in one go, while nobody waits. */
  rest(ms: number): Promise<void>
  /** This process did nothing for so long: its timers go off late. */
  stall(ms: number): void
  /** Scripts run so far; 0 where there are none. */
  scripts(): number
  /** Sets Redis's clock, against that of the processes. */
  setRedisClock(byMs: number): void
  /** Empties Redis, or evicts one of the two keys of the allowance. */
  forget(key?: 'log' | 'state'): Promise<void>
  /** Nobody can reach Redis, or they can again. */
  cut(away: boolean): void
}

export async function localStage(): Promise<Stage> {
  const clock = stallingClock()
  return {
    open: (limit, marginMs = 20) => openLocalSlots({ limit, marginMs }, clock),
    now: clock.monotonicMs,
    pass: clock.advance,
    rest: clock.advance,
    stall: clock.stall,
    scripts: () => 0,
    setRedisClock() {},
    async forget() {},
    cut() {},
  }
}

export function redisStage(url: string): () => Promise<Stage> {
  return async () => {
    const redis = await openRedis({ url })
    const id = crypto.randomUUID()
    const names = [`test-{${id}}-log`, `test-{${id}}-state`] as const
    const forget = async (key = '') => {
      const some = names.filter((name) => name.endsWith(key))
      await redis.run({ name: 'forget', lua: "return redis.call('DEL', unpack(KEYS))" }, some, [])
    }
    onTestFinished(async () => {
      await forget()
      redis.close()
    })
    const clock = stallingClock()
    let offsetMs = 1_800_000_000_000
    let away = false
    let scripts = 0
    const underWay = new Set<Promise<unknown>>()
    // The very scripts, but for the moment that TIME would tell.
    const run: RunScript = (script, keys, args) => {
      if (away) return Promise.reject(new Error('away'))
      scripts += 1
      const micros = Math.round((clock.monotonicMs() + offsetMs) * 1_000)
      const time = `{'${Math.floor(micros / 1e6)}', '${micros % 1e6}'}`
      const answer = redis.run({ ...script, lua: script.lua.replace("redis.call('TIME')", time) }, keys, args)
      underWay.add(answer)
      return answer.finally(() => underWay.delete(answer))
    }
    const settle = async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await clock.advance(0)
      if (underWay.size > 0) await settle()
    }
    return {
      open: (limit, marginMs = 20, onLimit = () => {}) =>
        openRedisSlots({ limit, marginMs, names, run, clock, onLimit }),
      now: clock.monotonicMs,
      rest: clock.advance,
      stall: clock.stall,
      async pass(ms) {
        await settle()
        // Small steps, so that an answer of Redis travels for a moment and not for longer than a slot is good.
        for (const until = clock.monotonicMs() + ms; clock.monotonicMs() < until; ) {
          await clock.advance(Math.min(1, until - clock.monotonicMs()))
          await settle()
        }
      },
      scripts: () => scripts,
      setRedisClock(byMs) {
        offsetMs += byMs
      },
      forget,
      cut(isAway) {
        away = isAway
      },
    }
  }
}

/** A stepped clock that also jumps without anybody waking. */
function stallingClock() {
  const stepped = steppedClock()
  let stalled = 0
  return {
    ...stepped,
    monotonicMs: () => stepped.monotonicMs() + stalled,
    stall(ms: number) {
      stalled += ms
    },
  }
}

/** Send times of takers that come all at once, as they are served; those sent away come again when told. */
export function take(stage: Stage, slots: Slots, takers: number, into: number[] = []): number[] {
  const one = async () => {
    for (let ms = await slots.take(); ms > 0; ms = await slots.take()) {
      const until = stage.now() + ms
      while (stage.now() < until) await new Promise((resolve) => setImmediate(resolve))
    }
    into.push(stage.now())
  }
  for (let i = 0; i < takers; i++) void one()
  return into
}
