// A worker as a process of its own, as `start` runs it, that freezes or has a wrong clock where its orders say so.

import { startWorker } from '#jobs/worker.ts'
import { type App, openApp } from '#src/app.ts'
import { queues } from '#src/queue/queues.ts'
import { Secret } from '#src/secret/secret.ts'
import { briefTuning } from '#test/guarantees/stores/supervised-worker.ts'
import { freezeAt, say, wrapVerb } from './freeze-at.ts'
import type { Orders } from './orders.ts'
import { installWrongClock } from './wrong-date.ts'

const orders: Orders = JSON.parse(process.env.CREDSYNC_TEST_ORDERS ?? '{}')
const clock = installWrongClock()
const { aheadMs = 0, from = 'start' } = orders.clock ?? {}
if (from === 'start') clock.jump(aheadMs)

/** What the ledger adds to a call's deadline before it takes an attempt for lost. */
const marginMs = 15_000

function shortenLeases(app: App, leaseMs: number): void {
  const options: { lockDuration: number } = queues.issue.options
  options.lockDuration = 1_000
  wrapVerb(app.ledger, 'passDoor', (_call, args) => {
    const [door] = args as [{ deadlineMs: number }]
    door.deadlineMs = leaseMs - marginMs
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
    { clock, log: { event: (event) => say({ said: 'logged', event }) }, random: () => 0.5, tuning: briefTuning },
  )
  if (orders.leaseMs !== undefined) shortenLeases(app, orders.leaseMs)
  if (orders.freeze) freezeAt(app, orders.freeze)
  if (from === 'first batch')
    wrapVerb(app.ledger, 'passDoor', (call) => {
      clock.jump(aheadMs)
      return call()
    })
  const worker = await startWorker(app, orders.only)
  if (!worker) return 2
  const signalled = new Promise<'signal'>((resolve) => process.once('SIGTERM', () => resolve('signal')))
  say({ said: 'ready', instance: app.instance })
  say({ said: 'ending', why: await Promise.race([signalled, worker.lost.then(() => 'lost' as const)]) })
  await worker.stop()
  return 0
}

const code = await work().catch((error: Error) => {
  say({ said: 'refused', error: error.name })
  return 3
})
process.exit(code)
