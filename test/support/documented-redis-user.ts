// A user of Redis with the rights that docs/deployment.md names.

import { readFile } from 'node:fs/promises'
import { Redis } from 'ioredis'

/** Returns what the ACL SETUSER lines of the page say after the user's name, without the password. */
export async function documentedRules(): Promise<string[]> {
  const page = await readFile(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
  const lines = [...page.matchAll(/^ {6}ACL SETUSER credsync (.*)$/gm)]
  return lines.flatMap(([, rules = '']) => rules.split(' ')).filter((rule) => rule !== '>PASSWORD')
}

/**
 * Creates the user on a server.
 * @param more rules to add, such as the keys of a test
 * @returns the address of the server for this user
 */
export async function documentedRedisUser(url: string, ...more: string[]): Promise<string> {
  const redis = new Redis(url)
  try {
    const rules = [...(await documentedRules()), ...more]
    await redis.call('ACL', 'SETUSER', 'documented', ...rules, '>word')
  } finally {
    redis.disconnect()
  }
  return Object.assign(new URL(url), { username: 'documented', password: 'word' }).href
}
