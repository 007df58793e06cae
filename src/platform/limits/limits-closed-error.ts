// The errors for work that a gate rejects because the gate is closed for good or paused for too long.

/** Thrown for work that was waiting at a gate when the gates were stopped, or that arrived afterwards. */
export class LimitsClosedError extends Error {
  override name = 'LimitsClosedError'

  constructor(gate: string) {
    super(
      `The gate "${gate}" is closed because this process is stopping. Nothing was sent; the work can be done after the next start.`,
    )
  }
}

/** Thrown for work that cannot wait for a paused gate to open. */
export class GateShutError extends Error {
  override name = 'GateShutError'
  /** Milliseconds until the gate opens. */
  readonly retryAfterMs: number

  constructor(gate: string, retryAfterMs: number) {
    super(
      `The gate "${gate}" is shut for ${Math.ceil(retryAfterMs / 1_000)} s: the service asked for a pause, or Redis, which holds the shared limit, is unavailable. Nothing was sent.`,
    )
    this.retryAfterMs = retryAfterMs
  }
}
