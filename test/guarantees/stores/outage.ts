// One kind of store outage: how it begins, whether it lasts, and how it ends.

import type { World } from '#test/support/world.ts'

export interface Outage {
  name: string
  /** The store of the queues. */
  backend: 'redis' | 'postgres'
  /** True if the outage lasts until `end` and errors follow `begin`; false if it is over immediately. */
  lasts: boolean
  prepare(): Promise<PreparedOutage>
}

export interface PreparedOutage extends AsyncDisposable {
  /** Null for queues in PostgreSQL. */
  redisUrl: string | null
  begin(world: World): Promise<void>
  end(world: World): Promise<void>
}
