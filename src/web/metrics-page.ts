// Builds the metrics page. Reads the ledger and the queues every few seconds at most, however often the page is
// requested. If one of them is slow or unavailable, the page is not delayed and has at least the figures of this
// process.

import { Gauge } from 'prom-client'
import type { App } from '#src/app/app.ts'
import { readWholeMetrics, type WholeMetrics } from '#src/app/whole-metrics.ts'
import { cacheAnswer } from '#src/platform/time/cache-answer.ts'
import { within } from '#src/platform/time/deadline.ts'
import type { Health } from './health.ts'
import { openLedgerGauges } from './ledger-gauges.ts'
import type { Metrics } from './open-metrics.ts'
import { openWorkerGauges } from './worker-gauges.ts'

const answerMs = 2_000

/** Longer than the statement timeout of the queries. */
const abandonMs = 60_000

const cacheMs = 5_000

/** A query that takes one second runs every 20 seconds, so that it uses at most 5 % of one connection. */
const restPerQuery = 20

const maxRestMs = 120_000

/** Figures up to this age are shown, with their age; older ones are not. */
const maxAgeMs = 300_000

export function openMetricsPage(app: App, { registry }: Metrics, health: Health): () => Promise<string> {
  const { clock, ledger, database, queues } = app
  const pipelines = Object.keys(app.settings.file.pipelines)
  const showLedger = openLedgerGauges(registry, pipelines)
  const showWorker = openWorkerGauges(registry, app)
  const showStores = storeGauges()
  let lastRead: { figures: WholeMetrics; at: number } | null = null

  const readLedger = cacheAnswer(
    clock,
    async () => {
      const figures = await within(clock, abandonMs, readWholeMetrics(database, ledger.environment, app))
      lastRead = { figures, at: clock.monotonicMs() }
    },
    { validMs: cacheMs, restFactor: restPerQuery, maxRestMs },
  )
  const readQueues = cacheAnswer(clock, () => queues.depths(), { validMs: cacheMs })

  function storeGauges() {
    const gauge = (name: string, help: string) => new Gauge({ name: `credsync_${name}`, help, registers: [registry] })
    const databaseUp = gauge('database_up', '1 if the database answers within two seconds and accepts writes.')
    const queueUp = gauge(
      'queue_up',
      "1 if the queue's store answers and this process's workers for the queues are running.",
    )
    const age = gauge('ledger_figures_age_seconds', "Seconds since the ledger's figures on this page were read.")
    return (up: { database: boolean; queues: boolean }, ageMs: number | null) => {
      databaseUp.set(Number(up.database))
      queueUp.set(Number(up.queues))
      age.remove()
      if (ageMs !== null) age.set(ageMs / 1_000)
    }
  }

  async function makePage() {
    const [up, depths] = await Promise.all([
      health.stores(),
      within(clock, answerMs, readQueues()).catch(() => null),
      within(clock, answerMs, readLedger()).catch(() => {}),
    ])
    const ageMs = lastRead ? clock.monotonicMs() - lastRead.at : Number.POSITIVE_INFINITY
    const current = up.database && ageMs <= maxAgeMs ? lastRead : null
    showLedger(current?.figures ?? null)
    showWorker(depths)
    showStores(up, current && ageMs)
    return registry.metrics()
  }
  // Concurrent requests get the same page, because building one blocks the process for some milliseconds.
  return cacheAnswer(clock, makePage, { validMs: 0 })
}
