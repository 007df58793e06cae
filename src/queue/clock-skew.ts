// BullMQ on PostgreSQL stamps locks with each worker's own clock: measured with a worker 120 s ahead, it took a running job
// from another worker at once and ran it a second time. So a worker whose clock is off does not start.

import type { Clock } from '#src/time/clock.ts'

/** Far below the shortest lock (60 s), far above what NTP leaves. */
export const tolerableSkewMs = 2_000

/** Anything that asks the database. */
interface Asked {
  query(text: string): Promise<{ rows: unknown[] }>
}

export class ClockSkewError extends Error {
  override readonly name = 'ClockSkewError'
  readonly code = 'CLOCK_SKEW'
  /** This machine's clock minus the database's, in milliseconds. */
  readonly skewMs: number

  constructor(skewMs: number) {
    const side = skewMs > 0 ? 'ahead of' : 'behind'
    super(
      `This machine's clock is ${Math.abs(Math.round(skewMs))} ms ${side} the database's; at most ${tolerableSkewMs} ms is safe. ` +
        'Set both by NTP, then start again.',
    )
    this.skewMs = skewMs
  }
}

/** This machine's clock minus the database's, in milliseconds; half of the query's round trip is its error. */
export async function measureClockSkew(client: Asked, clock: Clock): Promise<number> {
  const before = clock.now().getTime()
  const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
  const after = clock.now().getTime()
  return (before + after) / 2 - Number((rows[0] as { ms: string } | undefined)?.ms)
}

/**
 * Returns when both clocks agree.
 * @throws ClockSkewError
 */
export async function checkClockSkew(client: Asked, clock: Clock): Promise<void> {
  const skewMs = await measureClockSkew(client, clock)
  if (!(Math.abs(skewMs) <= tolerableSkewMs)) throw new ClockSkewError(skewMs)
}
