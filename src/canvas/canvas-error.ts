// What every failure of a Canvas call has in common, and the four kinds of it, which differ in what to do next.

export type CanvasFault =
  /** Canvas can't answer just now, or asks for patience: ask again later. */
  | 'away'
  /** The token: each further call with it will fail. A person is needed. */
  | 'refused'
  /** This course or this call: others may go well. A person is needed. */
  | 'forbidden'
  /** This record alone; the next one may go well. */
  | 'record'

export class CanvasError extends Error {
  override name = 'CanvasError'
  readonly fault: CanvasFault
  /** Of the answer; null where there was none. */
  readonly status: number | null
  /** Milliseconds that Canvas asked to be left alone; null where it did not. */
  readonly retryAfterMs: number | null

  /** @param sentence for a person, without anybody's data */
  constructor(
    fault: CanvasFault,
    sentence: string,
    { status = null, retryAfterMs = null }: { status?: number | null; retryAfterMs?: number | null } = {},
  ) {
    super(sentence)
    this.fault = fault
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}
