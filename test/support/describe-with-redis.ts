// Runs tests that need Redis: skipped with a notice if there is none, failed if CI requires one.

import { describe, test } from 'vitest'

/**
 * A describe block whose body gets the server's URL, and a new key prefix from each call of `prefix`. Without a server
 * it is skipped; if CI is set, it fails.
 */
export function describeWithRedis(name: string, body: (redis: { url: string; prefix: () => string }) => void): void {
  const url = process.env.CREDSYNC_TEST_REDIS
  if (url) describe(name, () => body({ url, prefix: () => `test-${crypto.randomUUID()}` }))
  else reportMissingServer(name, 'Redis', 'CREDSYNC_TEST_REDIS')
}

/** Reports a missing server: as a failed test if CI is set, else as a skipped one. */
export function reportMissingServer(name: string, what: string, variable: string): void {
  const reason = `no ${what}: install it or set ${variable}`
  describe(name, () => {
    if (!process.env.CI) return test.skip(reason, () => {})
    test(`needs ${what}`, () => {
      throw new Error(`There is ${reason}.`)
    })
  })
}
