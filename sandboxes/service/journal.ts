// Counts the calls and records in memory what really happened, so that tests and users can inspect it afterwards.

import type { Clock } from '#sandboxes/clock.ts'
import type { JournalEntry, RecordedChange } from './journal-entry.ts'

/** A counted call, with its number in this sandbox and among the calls of its endpoint, both from 1. */
export interface Arrival {
  call: number
  endpoint: string
  nth: number
}

export interface JournalCounts {
  /** The number of calls per endpoint ("POST /path" without ids), whatever their outcome. */
  calls: Record<string, number>
  /** The number of responses with 429. */
  throttled: number
  /** The number of token pairs issued for key and secret, and for a refresh token. */
  tokens: number
  refreshes: number
  /** The number of invitations that were applied completely or in part, and of the requests that they created. */
  invitesAccepted: number
  recipientsAccepted: number
}

export class Journal {
  readonly #clock: Clock
  readonly #entries: JournalEntry[] = []
  #arrivals = 0
  readonly #calls = new Map<string, number>()
  #throttled = 0
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

  /** Records an applied invitation. The array of ids is stored without copying it. */
  inviteAccepted({ call, endpoint }: Arrival, recipients: number, requests: readonly string[]): void {
    this.#invites++
    this.#recipients += requests.length
    this.#entries.push({ at: this.#at(), kind: 'committed', call, endpoint, recipients, requests })
  }

  record({ call, endpoint }: Arrival, change: RecordedChange): void {
    this.#entries.push({ at: this.#at(), call, endpoint, ...change })
  }

  /** Returns all entries, oldest first: the live list, which only grows. */
  entries(): readonly JournalEntry[] {
    return this.#entries
  }

  #at(): number {
    return this.#clock.now().getTime()
  }

  throttled(): void {
    this.#throttled++
  }

  tokenGiven(): void {
    this.#tokens++
  }

  refreshGiven(): void {
    this.#refreshes++
  }

  /** Returns a copy of the current counts. */
  counts(): JournalCounts {
    return {
      calls: Object.fromEntries(this.#calls),
      throttled: this.#throttled,
      tokens: this.#tokens,
      refreshes: this.#refreshes,
      invitesAccepted: this.#invites,
      recipientsAccepted: this.#recipients,
    }
  }
}
