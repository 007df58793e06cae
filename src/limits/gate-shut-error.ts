// The error of work that would have had to wait longer at a paused gate than it may.

export class GateShutError extends Error {
  override name = 'GateShutError'
  /** Milliseconds until the gate opens. */
  readonly retryAfterMs: number

  constructor(gate: string, retryAfterMs: number) {
    super(
      `The gate "${gate}" is shut for ${Math.ceil(retryAfterMs / 1_000)} s: the service wants a pause, or Redis, which keeps the allowance, is away. Nothing was sent.`,
    )
    this.retryAfterMs = retryAfterMs
  }
}
