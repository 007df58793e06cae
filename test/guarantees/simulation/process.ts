// A process that can be slow, frozen or dead. Everything it does goes through doors (ledger, queue, network, clock), and at a door it may
// stop for a while or for ever, before or after the effect.

import type { Clock } from '#src/time/clock.ts'
import type { Dice } from '#test/support/dice.ts'
import type { VirtualClock } from './virtual-clock.ts'
import type { Weather } from './weather.ts'

export interface Process {
  readonly name: string
  readonly alive: boolean
  /** Its own clock: it sleeps like everybody, and may tell another time. */
  readonly clock: Clock
  /** Waits as a call of another program may wait. Never comes back in a process that has died. */
  pause(): Promise<void>
  /** Gives `target` with a pause before and after every verb. */
  door<T extends object>(target: T): T
  /** Resolves when it does not stand still: nobody can stop a frozen process in peace, nor does it hear that it lost its lock. */
  awake(): Promise<void>
  /** Told when it is going to stand still for so many milliseconds. */
  onFreeze: (ms: number) => void
  /** Ends it at once, in the middle of whatever it does. */
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

  /** Nothing after this line happens in a process that is dead; in a frozen one it happens later. */
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
    // Most calls are over in no time that matters; some let others go first.
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
      // What it had begun goes on before it hears of anything.
      await time.sleep(200)
    },
    kill,
    onFreeze: () => {},
    died: death.promise,
    door: (target) =>
      new Proxy(target, {
        get(from, key) {
          const value = Reflect.get(from, key)
          if (typeof value !== 'function') return value
          return async (...args: unknown[]) => {
            await pause()
            const result = await Reflect.apply(value, from, args)
            await pause(String(key))
            return result
          }
        },
      }),
  }
  return process
}
