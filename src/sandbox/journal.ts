// What came in, counted, and what truly happened, line by line: the part of the sandbox that tests and the curious ask
// afterwards.

import type { Clock } from '#src/time/clock.ts'
import type { Deed, JournalEntry } from './journal-entry.ts'

/** A counted call: its number in this sandbox and among the calls of its endpoint, both from 1. */
export interface Arrival {
  call: number
  endpoint: string
  nth: number
}

export interface JournalCounts {
  /** Arrivals per endpoint ("POST /path" without ids), whatever became of them. */
  calls: Record<string, number>
  /** Answers with 429, per endpoint and in all. */
  throttledCalls: Record<string, number>
  throttled: number
  /** Token pairs given for key and secret, and for a refresh token. */
  tokens: number
  refreshes: number
  /** Invitations that were applied, whole or in part, and the requests made of them. */
  invitesAccepted: number
  recipientsAccepted: number
}

export class Journal {
  readonly #clock: Clock
  readonly #entries: JournalEntry[] = []
  #arrivals = 0
  readonly #calls = new Map<string, number>()
  readonly #throttled = new Map<string, number>()
  #tokens = 0
  #refreshes = 0
  #invites = 0
  #recipients = 0

  constructor(clock: Clock) {
    this.#clock = clock
  }

  arrived(endpoint: string): Arrival {
    const nth = (this.#calls.get(endpoint) ?? 0) + 1
    this.#calls.set(endpoint, nth)
    const call = ++this.#arrivals
    this.#entries.push({ at: this.#at(), kind: 'arrived', call, endpoint })
    return { call, endpoint, nth }
  }

  answered({ call, endpoint }: Arrival, status: number | null, spoil: string | null): void {
    this.#entries.push({ at: this.#at(), kind: 'answered', call, endpoint, status, spoil })
  }

  /** The ids are kept as they are, not copied: they are the very texts that the requests hold. */
  inviteAccepted({ call, endpoint }: Arrival, recipients: number, requests: readonly string[]): void {
    this.#invites++
    this.#recipients += requests.length
    this.#entries.push({ at: this.#at(), kind: 'committed', call, endpoint, recipients, requests })
  }

  did({ call, endpoint }: Arrival, deed: Deed): void {
    this.#entries.push({ at: this.#at(), call, endpoint, ...deed })
  }

  /** All lines, oldest first; the list itself, which only grows. */
  entries(): readonly JournalEntry[] {
    return this.#entries
  }

  #at(): number {
    return this.#clock.now().getTime()
  }

  throttled(endpoint: string): void {
    this.#throttled.set(endpoint, (this.#throttled.get(endpoint) ?? 0) + 1)
  }

  tokenGiven(): void {
    this.#tokens++
  }

  refreshGiven(): void {
    this.#refreshes++
  }

  /** A copy of the counts as they stand. */
  counts(): JournalCounts {
    return {
      calls: Object.fromEntries(this.#calls),
      throttledCalls: Object.fromEntries(this.#throttled),
      throttled: this.#throttled.values().reduce((sum, each) => sum + each, 0),
      tokens: this.#tokens,
      refreshes: this.#refreshes,
      invitesAccepted: this.#invites,
      recipientsAccepted: this.#recipients,
    }
  }
}
