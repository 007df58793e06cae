// Compares this machine's clock with the database's. BullMQ on PostgreSQL stamps locks with each worker's own clock: in
// a test, a worker 120 s ahead immediately took a running job from another worker and ran it a second time. Therefore a
// worker whose clock is wrong does not start.

import type { Clock } from '#src/platform/time/clock.ts'

/** Far below the shortest lock (60 s), and far above the error of a clock that NTP synchronizes. */
export const tolerableSkewMs = 2_000

/** The part of a database client that is needed here. */
interface Queryable {
  query(text: string): Promise<{ rows: unknown[] }>
}

export class ClockSkewError extends Error {
  override readonly name = 'ClockSkewError'
  /** This machine's clock minus the database's, in milliseconds. */
  readonly skewMs: number

  constructor(skewMs: number) {
    const side = skewMs > 0 ? 'ahead of' : 'behind'
    super(
      `This machine's clock is ${Math.abs(Math.round(skewMs))} ms ${side} the database's; at most ${tolerableSkewMs} ms is safe. ` +
        'Synchronize both by NTP, then start again.',
    )
    this.skewMs = skewMs
  }
}

/** Returns this machine's clock minus the database's, in milliseconds, accurate to half of the query's round trip. */
export async function measureClockSkew(client: Queryable, clock: Clock): Promise<number> {
  const before = clock.now().getTime()
  const { rows } = await client.query('SELECT extract(epoch FROM clock_timestamp()) * 1000 AS ms')
  const after = clock.now().getTime()
  return (before + after) / 2 - Number((rows[0] as { ms: string } | undefined)?.ms)
}

/**
 * Returns if the clocks differ by at most `tolerableSkewMs`.
 * @throws ClockSkewError if they differ by more
 */
export async function checkClockSkew(client: Queryable, clock: Clock): Promise<void> {
  const skewMs = await measureClockSkew(client, clock)
  if (!(Math.abs(skewMs) <= tolerableSkewMs)) throw new ClockSkewError(skewMs)
}
