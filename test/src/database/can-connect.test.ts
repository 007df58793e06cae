// Whether a database lets somebody new in, told within a deadline whatever its server does.

import { expect, test } from 'vitest'
import { canConnect } from '#src/database/can-connect.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import { cuttableProxy } from '#test/src/queue/cuttable-proxy.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'

/** Fifty times as impatient. */
const hasty: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) }

describeWithDatabase('a new connection', () => {
  test('is had from a server that runs, and not from one that is silent or gone', async () => {
    await using database = await emptyDatabase()
    const proxy = await cuttableProxy(database.url)
    expect(await canConnect(proxy.url, systemClock)).toBe(true)
    proxy.freeze()
    expect(await canConnect(proxy.url, hasty)).toBe(false)
    await proxy.cut()
    expect(await canConnect(proxy.url, systemClock)).toBe(false)
    await proxy.mend()
    expect(await canConnect(proxy.url, systemClock)).toBe(true)
    await proxy.close()
  })
})
