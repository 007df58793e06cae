// A worker process, as `start` runs it, that freezes or has a wrong clock as instructed by the test.

import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app/app.ts'
import { queues } from '#src/platform/queue/queues.ts'
import { Secret } from '#src/platform/secret.ts'
import { briefTuning } from '#test/guarantees/stores/supervised-worker.ts'
import type { Orders } from './child-messages.ts'
import { freezeAt, report, wrapVerb } from './freeze-at.ts'
import { installWrongClock } from './wrong-clock.ts'

const orders: Orders = JSON.parse(process.env.CREDSYNC_TEST_ORDERS ?? '{}')
const clock = installWrongClock()
const { aheadMs = 0, from = 'start' } = orders.clock ?? {}
if (from === 'start') clock.jump(aheadMs)

/** What the ledger adds to a call's deadline before it declares an attempt lost. */
const marginMs = 15_000

function shortenLeases(app: App, leaseMs: number): void {
  const options: { lockDuration: number } = queues.issue.options
  options.lockDuration = 1_000
  wrapVerb(app.ledger.attempts, 'claim', (_call, args) => {
    const [claim] = args as [{ deadlineMs: number }]
    claim.deadlineMs = leaseMs - marginMs
    return _call()
  })
}

async function work(): Promise<number> {
  const app = await openApp(
    {
      configPath: 'test',
      baseUrl: orders.baseUrl,
      key: new Secret(orders.key),
      secret: new Secret(orders.secret),
      databaseUrl: new Secret(orders.databaseUrl),
      redisUrl: orders.redisUrl ? new Secret(orders.redisUrl) : null,
      dataDir: orders.dataDir,
      file: orders.file as App['settings']['file'],
    },
    { clock, log: { event: (event) => report({ kind: 'logged', event }) }, random: () => 0.5, tuning: briefTuning },
  )
  if (orders.leaseMs !== undefined) shortenLeases(app, orders.leaseMs)
  if (orders.freeze) freezeAt(app, orders.freeze)
  if (from === 'first batch')
    wrapVerb(app.ledger.attempts, 'claim', (call) => {
      clock.jump(aheadMs)
      return call()
    })
  const worker = await startWorker(app, orders.only)
  if (!worker) return 2
  const signalled = new Promise<'signal'>((resolve) => process.once('SIGTERM', () => resolve('signal')))
  report({ kind: 'ready', instance: app.instance })
  report({ kind: 'ending', why: await Promise.race([signalled, worker.lost.then(() => 'lost' as const)]) })
  await worker.stop()
  return 0
}

const code = await work().catch((error: Error) => {
  report({ kind: 'refused', error: error.name })
  return 3
})
process.exit(code)
