// Measures the cost of reconciling: report calls for 10,000 open rows, and CPU time of the worker and the database,
// with no settled rows and with a million of them in the ledger and the report. The cost must grow with the open rows,
// not with the total number of rows.
// Run by hand: node bench/reconcile.ts [settled rows] [open rows]

import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { countIn, finalStates } from '#src/domain/credential/state.ts'
import { scanReport } from '#src/issuing/reconcile/scan-report.ts'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { fillLedger } from './parts/fill-ledger.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import { postgresCpuMs } from './parts/postgres-time.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'

const settled = Number(process.argv[2] ?? 1_000_000)
const open = Number(process.argv[3] ?? 10_000)

console.log(`${whole(open)} open rows, calls of 100, pages of 500; the report shows each change a second later`)
const lines = [
  [
    'settled',
    'report calls',
    'all final after',
    'CPU of worker',
    'CPU of PostgreSQL',
    'one more reading',
    'CPU of PostgreSQL for it',
  ],
]
const few = await measure(0)
const many = await measure(settled)
printTable([...lines, few.line, many.line])
console.log(
  `one reading with ${whole(open)} requests of today: ${(many.readingMs / few.readingMs).toFixed(2)} times as long`,
)
process.exit(0)

async function measure(settledRows: number) {
  const folder = await newFolder('reconcile')
  const file = join(folder, 'people.csv')
  writeList(file, open)
  const postgres = await openEmbeddedPostgres({ dataDir: folder, clock })
  const sandbox = await startSandbox({ settled: settledRows })
  const app = await openBenchApp(sandbox, { folder, databaseUrl: new Secret(postgres.url) })
  if (settledRows > 0)
    await fillLedger(app.database, { rows: settledRows, kind: 'settled', courseUuid: sandbox.course.uuid })
  const { rows } = await app.database.query<{ pid: string }>(
    `SELECT current_setting('data_directory') || '/postmaster.pid' AS pid`,
  )
  const pid = Number((await readFile(rows[0]?.pid ?? '', 'utf8')).split('\n')[0])

  const cost = startCost(pid)
  const worker = await startWorker(app)
  const run = await handOver(app, file)
  await untilRun(app, run, ({ states }) => countIn(states, finalStates) === open)
  const all = cost()
  const calls = app.issuer.counts().report ?? 0

  const again = startCost(pid)
  await scanReport({ ...app, ...app.tuning }, clock.now().toISOString().slice(0, 10))
  const reading = again()
  await worker?.stop()
  await app[Symbol.asyncDispose]()
  sandbox.stop()
  await postgres.release()
  await rm(folder, { recursive: true, force: true })
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`
  return {
    readingMs: reading.ms,
    line: [
      whole(settledRows),
      String(calls),
      seconds(all.ms),
      seconds(all.worker),
      seconds(all.postgres),
      seconds(reading.ms),
      seconds(reading.postgres),
    ],
  }
}

/** Returns a function that returns the milliseconds since this call, and the CPU milliseconds used in that time. */
function startCost(pid: number) {
  const startedAt = clock.monotonicMs()
  const worker = process.cpuUsage()
  const postgres = postgresCpuMs(pid)
  return () => {
    const { user, system } = process.cpuUsage(worker)
    return {
      ms: clock.monotonicMs() - startedAt,
      worker: (user + system) / 1_000,
      postgres: postgresCpuMs(pid) - postgres,
    }
  }
}
