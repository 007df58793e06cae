// Finds out which commands the user of REDIS_URL lacks. Tries them all on one key, which it deletes.

import type { Redis } from 'ioredis'
import { kindOf } from './redis-error.ts'

/**
 * The commands that the user needs for our scripts, for BullMQ's scripts and for the connections, by the number of
 * arguments with which each is tried here. docs/deployment.md lists them as ACL rules, and a test compares them with
 * the scripts.
 */
const byArguments: Readonly<Record<number, readonly string[]>> = {
  0: ['time'],
  1: 'del exists get hgetall hlen incr llen lpop persist pttl rpop scard smembers type zcard zpopmin'.split(' '),
  2: [
    ...'bzpopmin client|setname eval evalsha hdel hexists hget hmget lindex lpos lpush pexpire rename rpoplpush'.split(
      ' ',
    ),
    ...'rpush sadd set sismember srem zrem zscore'.split(' '),
  ],
  3: [
    ...'hincrby hmset hset lrange lrem lset ltrim xtrim zadd zcount zrange zrangebyscore zremrangebyrank'.split(' '),
    ...'zremrangebyscore zrevrange zrevrangebyscore'.split(' '),
  ],
  4: ['xadd'],
}

export const neededCommands: readonly string[] = Object.values(byArguments).flat().sort()

/** The ACL rule that grants access to all of our keys. */
export const ourKeys = '~credsync*'

/**
 * Returns the ACL rules (`+time`, `~credsync*`) that the user lacks; empty if nothing is missing.
 * @throws what ioredis throws, if the server does not answer
 */
export async function deniedRules(redis: Redis): Promise<string[]> {
  const key = 'credsync-tried'
  const pipeline = redis.pipeline()
  const tried: string[] = []
  for (const [count, commands] of Object.entries(byArguments))
    for (const command of commands) {
      const [name = '', ...subcommand] = command.split('|')
      // The key is passed as every argument. So most commands fail, but only after the permission check, and none of
      // them blocks.
      const args = Array.from({ length: Number(count) }, () => key)
      pipeline.call(name, ...subcommand, ...args.slice(subcommand.length))
      tried.push(command)
    }
  pipeline.del(key)
  const answers = (await pipeline.exec()) ?? []
  const denied = new Set<string>()
  for (const [index, [error]] of answers.entries()) {
    const text = error?.message ?? ''
    if (error && kindOf(error) === null) throw error
    if (/^NOPERM .*access/i.test(text)) denied.add(ourKeys)
    // Some servers report a forbidden command as unknown.
    else if (text.startsWith('NOPERM') || /^ERR unknown (sub)?command/i.test(text))
      denied.add(`+${tried[index] ?? 'del'}`)
  }
  return [...denied]
}
