// What a test tells a worker process to do, and what that says in return: one JSON line each.

import type { WorkName } from '#src/cli/doing.ts'

/** `<object>.<verb>:before|after` of the app, or `wire:sent`: an invitation has been written, its answer has not been read. */
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
  /** Milliseconds that this machine's clock is ahead of the true time, from the start or from the first batch on. */
  clock?: { aheadMs: number; from: 'start' | 'first batch' }
  /** A shorter lease on attempts and jobs than the house's: milliseconds after which another worker may take an attempt for lost. */
  leaseMs?: number
}

export interface Freeze {
  point: Point
  /** At its so-manieth time, from 1. */
  hit: number
  /** `stop`: the whole process, by SIGSTOP to itself. `block`: the event loop alone, until the file `until` exists. */
  way: 'stop' | 'block'
  until: string
}

export type Line =
  | { said: 'ready'; instance: string }
  | { said: 'frozen' }
  | { said: 'awake' }
  | { said: 'refused'; error: string }
  | { said: 'ending'; why: 'lost' | 'signal' }
  | { said: 'logged'; event: string }
