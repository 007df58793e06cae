// Finds out within a deadline whether a database accepts a new connection.

import { expect, test } from 'vitest'
import { canConnect } from '#src/platform/database/can-connect.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { cuttableProxy } from '#test/src/platform/queue/cuttable-proxy.ts'
import { describeWithDatabase, emptyDatabase } from '#test/support/database.ts'

/** A clock on which deadlines pass fifty times faster. */
const fastClock: Clock = { ...systemClock, sleep: (ms, signal) => systemClock.sleep(ms / 50, signal) }

describeWithDatabase('a new connection', () => {
  test('is accepted by a running server, and not by one that does not answer or refuses connections', async () => {
    await using database = await emptyDatabase()
    const proxy = await cuttableProxy(database.url)
    expect(await canConnect(proxy.url, systemClock)).toBe(true)
    proxy.freeze()
    expect(await canConnect(proxy.url, fastClock)).toBe(false)
    await proxy.cut()
    expect(await canConnect(proxy.url, systemClock)).toBe(false)
    await proxy.restore()
    expect(await canConnect(proxy.url, systemClock)).toBe(true)
    await proxy.close()
  })
})
