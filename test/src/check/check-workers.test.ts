// What `check` reports about the running workers of its ledger and environment.

import { expect, test } from 'vitest'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { runningWorkers } from '#src/app/running-workers.ts'
import { checkWorkers } from '#src/check/check-workers.ts'
import type { Parts } from '#src/check/open-parts.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { join } from '#test/support/join-worker.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const file = parseFileSettings({ service: { environment: 'development' }, pipelines: {} })
const settings = { file, configPath: 'credsync.yaml', baseUrl: 'https://service.example', redisUrl: null } as Settings

/** Checks the workers from a process whose queues are in the store `one`. */
function check({ database, ledger }: TestLedger, storeId: string | null = 'one') {
  return checkWorkers({ database, ledger, settings, storeId } as unknown as Parts)
}

describeWithDatabase('the workers of a ledger', () => {
  test('are those of the same environment', async () => {
    await using open = await openTestLedger()
    await using _other = await join(open, '1', { environment: 'production' })
    expect(await runningWorkers(open)).toEqual([])
    expect(await check(open)).toMatchObject([{ ok: true, what: 'no worker is running on this ledger' }])
    await using _own = await join(open, '2')
    expect((await runningWorkers(open)).map(({ pid }) => pid)).toEqual([2])
    expect(await check(open)).toMatchObject([
      {
        ok: true,
        what: expect.stringContaining('runs: '),
        notices: [expect.stringContaining('an older configuration')],
      },
    ])
  })

  test('must use the same Redis', async () => {
    await using open = await openTestLedger()
    await using _worker = await join(open, '1', { store: 'two' })
    expect(await check(open)).toMatchObject([
      { ok: false, what: expect.stringContaining('uses another Redis, or another database in Redis') },
    ])
    // Without a store of its own to compare, nothing is known.
    expect(await check(open, null)).toMatchObject([{ ok: true }])
  })
})
