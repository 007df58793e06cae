// Whether Redis lets us write and run scripts: one that is full, a replica, or without the right answers every reading question and does nothing.

import type { Script } from './open-redis.ts'

/** Of ours, and soon gone. */
export const triedKey = 'credsync-written'

/** Writes a key by a script, which is how everything of ours is written. Throws what Redis says. */
export const tryWriting: Script = {
  name: 'try to write',
  lua: "return redis.call('SET', KEYS[1], '1', 'PX', 60000)",
}
