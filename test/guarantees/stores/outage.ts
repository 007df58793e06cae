// One kind of outage of a store: how it begins, whether it lasts, how it ends.

import type { World } from '#test/support/world.ts'

export interface Outage {
  name: string
  /** Where the queues are. */
  backend: 'redis' | 'postgres'
  /** True when it lasts until `end`, and `begin` is then followed by complaints; false when it is over at once. */
  lasts: boolean
  prepare(): Promise<PreparedOutage>
}

export interface PreparedOutage extends AsyncDisposable {
  /** Null for queues in PostgreSQL. */
  redisUrl: string | null
  begin(world: World): Promise<void>
  end(world: World): Promise<void>
}
