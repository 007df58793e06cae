// Tests that need Redis: run where there is one, skipped aloud where there is none, failing where that must not happen.

import { describe, test } from 'vitest'

/**
 * A describe block whose body gets the server's URL and a fresh key prefix for each call of `prefix`. Without a server it is
 * skipped, or fails when CI is set.
 */
export function describeWithRedis(name: string, body: (redis: { url: string; prefix: () => string }) => void): void {
  const url = process.env.CREDSYNC_TEST_REDIS
  if (url) describe(name, () => body({ url, prefix: () => `test-${crypto.randomUUID()}` }))
  else missing(name, 'Redis', 'CREDSYNC_TEST_REDIS')
}

/** Says that a server is missing: as a failed test where CI is set, else as a skipped one. */
export function missing(name: string, what: string, variable: string): void {
  const reason = `no ${what}: install it or set ${variable}`
  describe(name, () => {
    if (!process.env.CI) return test.skip(reason, () => {})
    test(`needs ${what}`, () => {
      throw new Error(`There is ${reason}.`)
    })
  })
}
