// Measures how long one row takes when the worker is otherwise idle: from writing its file to the inbox until the
// service has the request, and from issuing at the service until the ledger shows it. The second time depends on how
// often the report is read, so it is measured with two settings. The first file is listed alone: what a worker or its
// service does for the first time happens only with it. Run by hand: node bench/latency.ts [files]

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { newFolder } from './parts/new-folder.ts'
import { recordOf } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable } from './parts/table.ts'

const files = Number(process.argv[2] ?? 100)
/** How long the service takes to issue a request. */
const issuingMs = 1_000

const lines = [['reconcile.every', 'first file', 'hand-over to service', 'p99', 'slowest', 'issued to known', 'p99']]
/** Where the time of the first file and of the slowest others goes. */
const stages = [['reconcile.every', 'file', 'to service', 'received', 'published', 'prepared', 'claimed', 'sent']]
for (const every of ['1s', '15s']) lines.push([every, ...(await measure(every))])
printTable(lines)
printTable(stages)
process.exit(0)

async function measure(every: string): Promise<string[]> {
  const folder = await newFolder('latency')
  const pace = { queueMs: issuingMs / 2, progressMs: issuingMs / 2 }
  const sandbox = await startSandbox({ settings: { pace, reportLagMs: 0 } })
  const app = await openBenchApp(sandbox, { folder, size: 1, reconcile: { every } })
  const worker = await startWorker(app)
  // What it does at its start is not measured.
  await clock.sleep(2_000)
  const handedOverMs: number[] = []
  const runs: string[] = []
  for (let n = 0; n < files; n++) {
    const file = join(folder, `${n}.csv`)
    const { Email, 'First Name': first, 'Last Name': last } = recordOf(n)
    await writeFile(file, `Email,First Name,Last Name\n${Email},${first},${last}\n`)
    handedOverMs.push(clock.now().getTime())
    runs.push(await handOver(app, file))
    // Each file arrives at a random point of the idle worker's cycle.
    await untilRun(
      app,
      runs[n] ?? '',
      ({ run, states }) => run.state === 'published' && states.pending + states.sending === 0,
      20,
    )
    await clock.sleep(Math.random() * 700)
  }
  for (const run of runs) await untilRun(app, run, ({ states }) => states.issued === 1)
  const { rows } = await app.database.query<{ at: Date }>(
    `SELECT at FROM history WHERE to_state = 'issued' ORDER BY issuance_id`,
  )
  const { rows: steps } = await app.database.query<Record<'received' | 'published' | 'prepared' | 'claimed', Date>>(
    `SELECT received_at AS received, published_at AS published, prepared_at AS prepared, sending_at AS claimed
     FROM run JOIN run_row ON run_id = run.id JOIN attempt_item USING (issuance_id) JOIN attempt ON attempt.id = attempt_id
     WHERE phase = 'ended' ORDER BY received_at`,
  )
  const { committedMs } = await sandbox.counts()
  await worker?.stop()
  await app[Symbol.asyncDispose]()
  sandbox.stop()
  await rm(folder, { recursive: true, force: true })
  const toService = committedMs.map((at, n) => at - (handedOverMs[n] ?? Number.NaN))
  const toKnown = rows.map(({ at }, n) => at.getTime() - (committedMs[n] ?? Number.NaN) - issuingMs)
  const slowestFirst = toService.map((ms, n) => ({ ms, n })).sort((a, b) => b.ms - a.ms)
  for (const { ms, n } of [{ ms: toService[0] ?? 0, n: 0 }, ...slowestFirst.filter(({ n }) => n > 0).slice(0, 3)]) {
    const { received, published, prepared, claimed } = steps[n] ?? {}
    const moments = [received, published, prepared, claimed].map((at) => at?.getTime())
    const times = [handedOverMs[n], ...moments, committedMs[n]]
    const lasted = times.slice(1).map((at, i) => `${Math.round((at ?? Number.NaN) - (times[i] ?? Number.NaN))} ms`)
    stages.push([every, String(n + 1), `${Math.round(ms)} ms`, ...lasted])
  }
  const [first = Number.NaN, ...others] = toService
  const [median = '', p99 = ''] = percentiles(others)
  return [`${first} ms`, median, p99, `${Math.max(...others)} ms`, ...percentiles(toKnown)]
}

/** Returns the median and the 99th percentile. */
function percentiles(values: readonly number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return [0.5, 0.99].map((share) => `${Math.round(at(share))} ms`)
}
