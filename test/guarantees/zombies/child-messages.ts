// The messages between a test and a worker process, one line of JSON each.

import type { WorkName } from '#src/cli/job-actions.ts'

/** `<object>.<verb>:before|after` of the app, or `wire:sent`: an invitation was written and its answer not yet read. */
export type Point = `${'ledger' | 'issuer'}.${string}:${'before' | 'after'}` | 'wire:sent'

export interface Orders {
  baseUrl: string
  key: string
  secret: string
  databaseUrl: string
  redisUrl: string | null
  dataDir: string
  /** The configuration file as parsed. */
  file: unknown
  only?: readonly WorkName[]
  freeze?: Freeze
  /**
   * How many milliseconds this machine's clock is ahead of the true time, from the start or from the first batch on.
   */
  clock?: { aheadMs: number; from: 'start' | 'first batch' }
  /**
   * A lease on attempts and jobs that is shorter than the default: milliseconds after which another worker may declare
   * an attempt lost.
   */
  leaseMs?: number
}

export interface Freeze {
  point: Point
  /** The occurrence of the point at which the process freezes, counted from 1. */
  hit: number
  /**
   * `stop` stops the whole process, which sends SIGSTOP to itself. `block` blocks only the event loop, until the file
   * `until` exists.
   */
  way: 'stop' | 'block'
  until: string
}

export type Line =
  | { kind: 'ready'; instance: string }
  | { kind: 'frozen' }
  | { kind: 'awake' }
  | { kind: 'refused'; error: string }
  | { kind: 'ending'; why: 'lost' | 'signal' }
  | { kind: 'logged'; event: string }
