// What came in, counted: the part of the sandbox that tests and the curious ask afterwards.

export interface JournalCounts {
  /** Arrivals per endpoint ("POST /path" without ids), whatever became of them. */
  calls: Record<string, number>
  /** Answers with 429, per endpoint and in all. */
  throttledCalls: Record<string, number>
  throttled: number
  /** Token pairs given for key and secret, and for a refresh token. */
  tokens: number
  refreshes: number
  /** Invitations that were applied, and the recipients in them. */
  invitesAccepted: number
  recipientsAccepted: number
}

export class Journal {
  readonly #calls = new Map<string, number>()
  readonly #throttled = new Map<string, number>()
  #tokens = 0
  #refreshes = 0
  #invites = 0
  #recipients = 0

  arrived(endpoint: string): void {
    this.#calls.set(endpoint, (this.#calls.get(endpoint) ?? 0) + 1)
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

  inviteAccepted(recipients: number): void {
    this.#invites++
    this.#recipients += recipients
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
