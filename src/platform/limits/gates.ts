// Opens the gates of this process: one for each endpoint name, created on first use, and one for the token endpoints.

import type { Clock } from '#src/platform/time/clock.ts'
import { openBottleneckGate, type StoppableGate } from './bottleneck-gate.ts'
import type { Gate, GateCounts } from './gate.ts'
import { openLocalSlots } from './local-slots.ts'
import { cautionMs } from './margin-estimate.ts'
import type { Slots } from './slots.ts'

export interface Limits {
  /** Requests per second for each endpoint; the service counts them per key. */
  general: number
  /** Requests per second for token and refresh together; the service counts them per source address. */
  auth: number
}

export interface GatesOptions {
  /**
   * The smallest margin; see SlotsOptions. Default 20: with smaller margins, the limit was exceeded in some seconds on
   * a busy machine.
   */
  marginMs?: number
  /** Concurrent requests per endpoint. Default 32: enough for 60 per second if an answer takes half a second. */
  maxConcurrent?: number
  /** Replaces this process's own slots, for limits shared between processes. */
  slotsFor?: (gate: string, limit: number) => Slots
  /** Called when a task starts, with the gate's name and the waiting time in milliseconds. */
  onPass?: (gate: string, waitedMs: number) => void
}

export interface Gates {
  /** The gate of an endpoint; the same one for the same name. */
  gate(endpoint: string): Gate
  auth: Gate
  /** The counts of every gate created so far, by name; the token gate is called `auth`. */
  report(): Record<string, GateCounts>
  /** Rejects all waiting work and all later calls with LimitsClosedError. */
  stop(): void
}

export function openGates(limits: Limits, clock: Clock, options: GatesOptions = {}): Gates {
  const { marginMs = 20, maxConcurrent = 32, onPass } = options
  const slotsFor = options.slotsFor ?? ((_gate, limit) => openLocalSlots({ limit, marginMs, cautionMs }, clock))
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
      const opened = open(endpoint, limits.general)
      if (stopped) opened.stop()
      gates.set(endpoint, opened)
      return opened
    },
    auth,
    report: () => Object.fromEntries([...gates].map(([name, gate]) => [name, gate.counts()])),
    stop() {
      stopped = true
      for (const gate of gates.values()) gate.stop()
    },
  }
}
