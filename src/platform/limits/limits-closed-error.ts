// Thrown for work that was waiting at a gate, or arrived, after the gates were stopped.

export class LimitsClosedError extends Error {
  override name = 'LimitsClosedError'

  constructor(gate: string) {
    super(
      `The gate "${gate}" is closed because this process is stopping. Nothing was sent; the work can be done after the next start.`,
    )
  }
}
