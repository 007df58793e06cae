// All gates of this process: one for each endpoint name, made when first asked for, and one for the token endpoints.

import type { Clock } from '#src/time/clock.ts'
import { openBottleneckGate, type StoppableGate } from './bottleneck-gate.ts'
import type { Gate, GateCounts } from './gate.ts'
import { openLocalSlots } from './local-slots.ts'
import type { Slots } from './slots.ts'

export interface Limits {
  /** Requests a second for each endpoint, by key. */
  general: number
  /** Requests a second for token and refresh together, by source address. */
  auth: number
}

export interface GatesOptions {
  /** See LocalSlotsOptions. Default 20: the least that held a strict sliding second on a busy machine. */
  marginMs?: number
  /** Requests of one endpoint under way at once. Default 24: what 60 a second need when an answer takes 350 ms. */
  maxConcurrent?: number
  /** Other slots than this process's own, for allowances shared between processes. */
  slotsFor?: (gate: string, limit: number) => Slots
  /** Told of each pass as its work begins: the gate's name, and how long it waited, in milliseconds. */
  onPass?: (gate: string, waitedMs: number) => void
}

export interface Gates {
  /** The gate of an endpoint; the same one for the same name. */
  gate(endpoint: string): Gate
  auth: Gate
  /** The counts of every gate opened so far, by name; the token gate is called `auth`. */
  report(): Record<string, GateCounts>
  /** Rejects everything that waits with LimitsClosedError, for good. */
  stop(): void
}

export function openGates(limits: Limits, clock: Clock, options: GatesOptions = {}): Gates {
  const { marginMs = 20, maxConcurrent = 24, onPass } = options
  const slotsFor = options.slotsFor ?? ((_gate, limit) => openLocalSlots({ limit, marginMs }, clock))
  const open = (name: string, limit: number) =>
    openBottleneckGate({
      name,
      limit,
      maxConcurrent,
      slots: slotsFor(name, limit),
      clock,
      onBegin: (waitedMs) => onPass?.(name, waitedMs),
    })

  const auth = open('auth', limits.auth)
  const gates = new Map<string, StoppableGate>([['auth', auth]])
  let stopped = false
  return {
    gate(endpoint) {
      const known = gates.get(endpoint)
      if (known) return known
      const made = open(endpoint, limits.general)
      if (stopped) made.stop()
      gates.set(endpoint, made)
      return made
    },
    auth,
    report: () => Object.fromEntries([...gates].map(([name, gate]) => [name, gate.counts()])),
    stop() {
      stopped = true
      for (const gate of gates.values()) gate.stop()
    },
  }
}
