// A whole credsync whose only way to the sandbox leads through the fault proxy. As openWorld, with another wire and a clock that hurries.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings } from '#config/settings.ts'
import { openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock } from '#src/time/clock.ts'
import { testDatabase } from '#test/support/database.ts'
import { type FaultProxy, openFaultProxy } from '#test/support/fault-proxy.ts'
import { handOver } from '#test/support/hand-over.ts'
import { type World, worldFile } from '#test/support/world.ts'
import { type HurriedClock, hurriedClock } from './hurried-clock.ts'
import type { NetworkCase } from './network-case.ts'
import { trustedIdentity } from './self-signed.ts'

export interface FaultyWorld extends Omit<World, 'wire'> {
  network: FaultProxy
  clock: HurriedClock
}

/** How long an invitation waits for its answer: ten times what one takes when eight cases share two cores. */
const deadline = '2500ms'

export async function openFaultyWorld(of: NetworkCase): Promise<FaultyWorld> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'credsync-network-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const pace = { queueMs: 50, progressMs: 50 }
  const sandbox = await openSandbox({ pace, reportLagMs: of.reportLagMs }, systemClock)
  stack.defer(() => sandbox.close())
  const network = await openFaultProxy(sandbox.url, of.fault.name === 'tls-drop' ? trustedIdentity() : undefined)
  stack.defer(() => network.close())
  const redisUrl = of.backend === 'redis' ? process.env.CREDSYNC_TEST_REDIS : undefined
  const settings = {
    configPath: 'test',
    baseUrl: network.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    databaseUrl: new Secret(database.url),
    redisUrl: redisUrl ? new Secret(redisUrl) : null,
    dataDir: folder,
    file: parseFileSettings(
      worldFile(sandbox, {
        pipeline: { batch: { size: of.batchSize } },
        reconcile: { every: '200ms', slowest: '500ms', grace: '500ms' },
        // One call at a time, so that "the second invitation" means one thing.
        invitations: { concurrency: 1, deadline },
      }),
    ),
  }
  const clock = hurriedClock()
  const tuning = { sweepMs: 200, lostAfterMs: 1_000, stopMs: 5_000 }
  const app = stack.use(await openApp(settings, { clock, log: silentLog, random: () => 0.5, tuning }))
  const closing = stack.move()
  return {
    app,
    sandbox,
    network,
    clock,
    folder,
    settings,
    databaseUrl: database.url,
    receive: handOver(app.ledger, folder),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
