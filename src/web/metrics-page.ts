// The page of all figures. However often it is asked for, the ledger and the queue are asked every few seconds at most, and whoever is away or
// slow keeps nobody waiting: the figures of this process are always there.

import { Gauge } from 'prom-client'
import type { App } from '#src/app.ts'
import { type LedgerFigures, readFigures } from '#src/ledger/figures.ts'
import { remember } from '#src/time/remember.ts'
import { within } from '#src/time/within.ts'
import type { Health } from './health.ts'
import { openLedgerGauges } from './ledger-gauges.ts'
import type { Metrics } from './open-metrics.ts'
import { openWorkerGauges } from './worker-gauges.ts'

const answerMs = 2_000

/** Longer than its statements may take. */
const abandonMs = 60_000

const askAgainMs = 5_000

/** Where the question takes a second, it is asked every twenty: five per cent of one connection at most. */
const restPerAsking = 20

const longestRestMs = 120_000

/** Figures that came late are shown with their age; older ones are not figures of now. */
const oldestMs = 300_000

export function openMetricsPage(app: App, { registry }: Metrics, health: Health): () => Promise<string> {
  const { clock, ledger, database, queues } = app
  const pipelines = Object.keys(app.settings.file.pipelines)
  const ledgerGauges = openLedgerGauges(registry, pipelines)
  const workerGauges = openWorkerGauges(registry, app)
  const showStores = storeGauges()
  let known: { figures: LedgerFigures; at: number } | null = null

  const readLedger = remember(
    clock,
    async () => {
      const figures = await within(clock, abandonMs, readFigures(database, ledger.environment))
      known = { figures, at: clock.monotonicMs() }
    },
    { forMs: askAgainMs, restPerAsking, mostMs: longestRestMs },
  )
  const readQueues = remember(clock, () => queues.depths(), { forMs: askAgainMs })

  function storeGauges() {
    const gauge = (name: string, help: string) => new Gauge({ name: `credsync_${name}`, help, registers: [registry] })
    const databaseUp = gauge('database_up', '1 when the database answers within two seconds and takes writing.')
    const queueUp = gauge('queue_up', "1 when the queue's store answers and its workers here work.")
    const age = gauge('ledger_figures_age_seconds', "How old the ledger's figures on this page are.")
    return (up: { database: boolean; queues: boolean }, ageMs: number | null) => {
      databaseUp.set(Number(up.database))
      queueUp.set(Number(up.queues))
      age.remove()
      if (ageMs !== null) age.set(ageMs / 1_000)
    }
  }

  return async () => {
    const [up, depths] = await Promise.all([
      health.stores(),
      within(clock, answerMs, readQueues()).catch(() => null),
      within(clock, answerMs, readLedger()).catch(() => {}),
    ])
    const ageMs = known ? clock.monotonicMs() - known.at : Number.POSITIVE_INFINITY
    const shown = up.database && ageMs <= oldestMs ? known : null
    ledgerGauges.show(shown?.figures ?? null)
    workerGauges.show(depths)
    showStores(up, shown && ageMs)
    return registry.metrics()
  }
}
