// Gates on virtual time: calls of one endpoint are sent one after the other at the documented pace, and a pause holds
// them.

import type { Passage } from '#src/platform/limits/gate.ts'
import type { Gates } from '#src/platform/limits/gates.ts'
import { GateShutError } from '#src/platform/limits/limits-closed-error.ts'
import type { Clock } from '#src/platform/time/clock.ts'

/** The pause after a refusal for which the service named no time. */
const unnamedPauseMs = 100

export function openSimGates(clock: Clock): Pick<Gates, 'gate' | 'auth' | 'stop'> & { report(): object } {
  const open = (name: string, perSecond: number) => {
    let free = 0
    let pausedUntil = 0
    return {
      async pass<T>(work: (passage: Passage) => Promise<T>, { mayWaitMs = Number.POSITIVE_INFINITY } = {}): Promise<T> {
        const now = clock.monotonicMs()
        if (pausedUntil - now > mayWaitMs) throw new GateShutError(name, pausedUntil - now)
        const turn = Math.max(now, free, pausedUntil)
        free = turn + Math.ceil(1_000 / perSecond) + 1
        if (turn > now) await clock.sleep(turn - now)
        return work({ noteAccepted() {} })
      },
      pause(namedMs: number | null) {
        pausedUntil = Math.max(pausedUntil, clock.monotonicMs() + (namedMs ?? unnamedPauseMs))
      },
    }
  }
  const gates = new Map<string, ReturnType<typeof open>>()
  return {
    auth: open('auth', 3),
    gate(name) {
      const gate = gates.get(name) ?? open(name, 60)
      gates.set(name, gate)
      return gate
    },
    stop() {},
    report: () => ({}),
  }
}
