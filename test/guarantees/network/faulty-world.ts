// A complete credsync that reaches the sandbox only through the fault proxy: like openWorld, but with another network
// and a faster clock.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings } from '#config/settings.ts'
import { openSandbox } from '#sandboxes/service/open-sandbox.ts'
import { openApp } from '#src/app/app.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { testDatabase } from '#test/support/database.ts'
import { type FaultProxy, openFaultProxy } from '#test/support/fault-proxy.ts'
import { handOver } from '#test/support/hand-over-file.ts'
import { type World, worldFile } from '#test/support/world.ts'
import { type AcceleratedClock, acceleratedClock } from './accelerated-clock.ts'
import type { NetworkCase } from './network-case.ts'
import { trustedIdentity } from './self-signed-certificate.ts'

export interface FaultyWorld extends Omit<World, 'wire'> {
  network: FaultProxy
  clock: AcceleratedClock
}

/**
 * How long an invitation waits for its answer. It must be long enough that a busy machine does not add a timeout to the
 * fault of the case.
 */
const deadline = '25s'
/**
 * Enough looks for the time that a second call waits for its answer. With the real figures, a call ends long before one
 * grace period has passed; here, fifty of them pass before it ends.
 */
const looksWithoutControl = 100

export async function openFaultyWorld(networkCase: NetworkCase): Promise<FaultyWorld> {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await testDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'credsync-network-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const pace = { queueMs: 50, progressMs: 50 }
  const sandbox = await openSandbox({ pace, reportLagMs: networkCase.reportLagMs }, systemClock)
  stack.defer(() => sandbox.close())
  const network = await openFaultProxy(
    sandbox.url,
    networkCase.fault.name === 'tls-drop' ? trustedIdentity() : undefined,
  )
  stack.defer(() => network.close())
  const redisUrl = networkCase.backend === 'redis' ? process.env.CREDSYNC_TEST_REDIS : undefined
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
        pipeline: { batch: { size: networkCase.batchSize } },
        // Not faster, because eight cases read the report while they wait for a deadline.
        reconcile: { every: '200ms', slowest: '1500ms', grace: '500ms', looksWithoutControl },
        // One call at a time, so that "the second invitation" is unambiguous.
        invitations: { concurrency: 1, deadline },
      }),
    ),
  }
  const clock = acceleratedClock()
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
