// Where the jobs of each environment are kept.

import { expect, test } from 'vitest'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { queueBackendOf } from '#src/app/open-core.ts'
import { Secret } from '#src/platform/secret.ts'

function backendFor(environment: string, redisUrl: string | null) {
  const file = parseFileSettings({ service: { environment }, pipelines: {} })
  const settings = { file, redisUrl: redisUrl === null ? null : new Secret(redisUrl) } as Settings
  return queueBackendOf(settings, 'postgres://127.0.0.1/ledger', 'a-ledger')
}

test.each(['development', 'production'])('the queues of %s are its own', (environment) => {
  expect(backendFor(environment, null)).toEqual({
    kind: 'postgres',
    url: 'postgres://127.0.0.1/ledger',
    schema: `credsync_queue_${environment}`,
  })
  expect(backendFor(environment, 'redis://127.0.0.1/3')).toEqual({
    kind: 'redis',
    url: 'redis://127.0.0.1/3',
    prefix: `credsync-a-ledger-${environment}`,
  })
})
