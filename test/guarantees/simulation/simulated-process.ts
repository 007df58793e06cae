// A process that can be slow, frozen or dead. All its calls (ledger, queue, network, clock) pass through wrappers,
// where it may stop for a while or forever, before or after the effect.

import type { Clock } from '#src/platform/time/clock.ts'
import type { Dice } from '#test/support/seeded-random.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

export interface Process {
  readonly name: string
  readonly alive: boolean
  /** Its own clock: it sleeps with the simulation but may show another time. */
  readonly clock: Clock
  /** Waits for as long as a call to another program may take. Never returns in a dead process. */
  pause(): Promise<void>
  /** Wraps `target` with a pause before and after every verb. */
  withPauses<T extends object>(target: T, name?: string): T
  /**
   * Resolves when the process is not frozen: a frozen process cannot be stopped normally and does not notice a lost
   * lock.
   */
  awake(): Promise<void>
  /** Called when the process is about to freeze for this many milliseconds. */
  onFreeze: (ms: number) => void
  /** Kills the process immediately, in the middle of its work. */
  kill(): void
  readonly died: Promise<void>
}

const never = new Promise<never>(() => {})

export function startProcess(name: string, time: VirtualClock, dice: Dice, weather: Weather): Process {
  let alive = true
  let frozenUntil = 0
  const death = Promise.withResolvers<void>()
  const kill = () => {
    alive = false
    death.resolve()
  }
  const skewMs = weather.skewMs(dice)

  /** In a dead process nothing after this call happens; in a frozen process it happens later. */
  async function live(): Promise<void> {
    if (!alive) return never
    while (alive && time.monotonicMs() < frozenUntil) await time.sleep(frozenUntil - time.monotonicMs())
    if (!alive) return never
  }

  async function pause(verb = ''): Promise<void> {
    await live()
    const now = time.monotonicMs()
    if (weather.kills(dice, now)) {
      kill()
      return never
    }
    const freezeMs = weather.freezes(dice, now, verb)
    if (freezeMs > 0) {
      frozenUntil = now + freezeMs
      process.onFreeze(freezeMs)
    }
    // Most calls take no significant time; some let others run first.
    if (dice.chance(0.2)) await time.sleep(dice.between(1, 30))
    await live()
  }

  const clock: Clock = {
    now: () => new Date(time.now().getTime() + skewMs),
    monotonicMs: () => time.monotonicMs(),
    async sleep(ms, signal) {
      await live()
      await time.sleep(ms, signal)
      await live()
    },
  }

  const process: Process = {
    name,
    get alive() {
      return alive
    },
    clock,
    pause,
    async awake() {
      while (alive && time.monotonicMs() < frozenUntil) await time.sleep(frozenUntil - time.monotonicMs())
      // Work that it had started continues before it is notified.
      await time.sleep(200)
    },
    kill,
    onFreeze: () => {},
    died: death.promise,
    withPauses: (target, name = '') =>
      new Proxy(target, {
        get(from, key) {
          const value = Reflect.get(from, key)
          if (typeof value !== 'function') return value
          return async (...args: unknown[]) => {
            await pause()
            const result = await Reflect.apply(value, from, args)
            await pause(`${name}.${String(key)}`)
            return result
          }
        },
      }),
  }
  return process
}
