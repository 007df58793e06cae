// A stage for tests of slots, which run on a manual clock: slots of this process, or slots in a real Redis whose
// scripts get the time of the manual clock.

import { onTestFinished } from 'vitest'
import { openLocalSlots } from '#src/platform/limits/local-slots.ts'
import { openRedisSlots } from '#src/platform/limits/redis-slots.ts'
import type { Slots } from '#src/platform/limits/slots.ts'
import { openRedis, type RunScript } from '#src/platform/redis/open-redis.ts'
import { steppedClock } from '#test/support/clock.ts'

export interface StageOptions {
  onLimit?: (limit: number) => void
  /** Default 0: the margin is not learnt. */
  cautionMs?: number
}

export interface Stage {
  /** Opens slots of one limit. If they can be shared, each call simulates another process. */
  open(limit: number, marginMs?: number, options?: StageOptions): Slots
  now(): number
  sleep(ms: number): Promise<void>
  pass(ms: number): Promise<void>
  /** Lets the time pass in one step. Call it only while no one waits. */
  rest(ms: number): Promise<void>
  /** Simulates a process that stalls for this long: its timers fire late. */
  stall(ms: number): void
  /** Returns how many scripts were run so far; 0 for slots without scripts. */
  scripts(): number
  /** Moves Redis's clock by this much, in addition to earlier moves. */
  setRedisClock(byMs: number): void
  /** Deletes both keys of the limit in Redis, or evicts one of them. */
  forget(key?: 'log' | 'state'): Promise<void>
  /** Makes Redis unreachable or reachable. */
  cut(isUnavailable: boolean): void
  /** Puts Redis so many milliseconds away, each way. */
  setDistance(ms: number): void
}

export async function localStage(): Promise<Stage> {
  const clock = stallingClock()
  return {
    open: (limit, marginMs = 20, { cautionMs = 0 } = {}) => openLocalSlots({ limit, marginMs, cautionMs }, clock),
    now: clock.monotonicMs,
    sleep: clock.sleep,
    pass: clock.advance,
    rest: clock.advance,
    stall: clock.stall,
    scripts: () => 0,
    setRedisClock() {},
    async forget() {},
    cut() {},
    setDistance() {},
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
    let isUnavailable = false
    let distanceMs = 0
    let scripts = 0
    const underWay = new Set<Promise<unknown>>()
    // Runs the real scripts, except that the call of TIME is replaced with the time.
    const runHere: RunScript = (script, keys, args) => {
      if (isUnavailable) return Promise.reject(new Error('unavailable'))
      scripts += 1
      const micros = Math.round((clock.monotonicMs() + offsetMs) * 1_000)
      const time = `{'${Math.floor(micros / 1e6)}', '${micros % 1e6}'}`
      const answer = redis.run({ ...script, lua: script.lua.replace("redis.call('TIME')", time) }, keys, args)
      underWay.add(answer)
      return answer.finally(() => underWay.delete(answer))
    }
    const run: RunScript = async (...call) => {
      if (distanceMs > 0) await clock.sleep(distanceMs)
      const answer = await runHere(...call)
      if (distanceMs > 0) await clock.sleep(distanceMs)
      return answer
    }
    const settle = async () => {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      await clock.advance(0)
      if (underWay.size > 0) await settle()
    }
    return {
      open: (limit, marginMs = 20, options = {}) => openRedisSlots({ limit, marginMs, names, run, clock, ...options }),
      now: clock.monotonicMs,
      sleep: clock.sleep,
      rest: clock.advance,
      stall: clock.stall,
      async pass(ms) {
        await settle()
        // In small steps, so that an answer of Redis takes some time, but less than a slot is valid.
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
      cut(unavailable) {
        isUnavailable = unavailable
      },
      setDistance(ms) {
        distanceMs = ms
      },
    }
  }
}

/** Starts callers that each want another slot so many milliseconds after their last one. Returns when they got one. */
export function callAgain(stage: Stage, slots: Slots, { callers, afterMs }: { callers: number; afterMs: number }) {
  const times: number[] = []
  const one = async () => {
    for (;;) {
      await slots.take()
      times.push(stage.now())
      await stage.sleep(afterMs)
    }
  }
  for (let i = 0; i < callers; i++) void one()
  return times
}

/** A stepped clock that can also jump ahead without firing timers. */
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

/**
 * Starts waiters that arrive together; each adds its send time to the returned array when it gets a slot. A waiter
 * without a slot retries after the wait.
 */
export function take(stage: Stage, slots: Slots, waiters: number, times: number[] = []): number[] {
  const one = async () => {
    for (let ms = await slots.take(); ms > 0; ms = await slots.take()) {
      const until = stage.now() + ms
      while (stage.now() < until) await new Promise((resolve) => setImmediate(resolve))
    }
    times.push(stage.now())
  }
  for (let i = 0; i < waiters; i++) void one()
  return times
}
