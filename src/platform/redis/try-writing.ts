// A script that checks whether Redis accepts writes and scripts. A server that is full, is a replica, or denies our
// user the permission answers reads but accepts no writes. This is a separate file, because processes without Redis
// import it, and they must not load a Redis client.

import type { Script } from './open-redis.ts'

/** The key that the script writes; it expires after a minute. */
export const writtenKey = 'credsync-written'

/** Writes the key with a script, like all our writes. */
export const tryWriting: Script = {
  name: 'try to write',
  lua: "return redis.call('SET', KEYS[1], '1', 'PX', 60000)",
}
