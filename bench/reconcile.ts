// What following costs: report calls for 10,000 open rows, and the processor time of our process and of the database, with nothing settled and
// with a million settled rows in the ledger and in the report. The cost must grow with what is open, not with what there ever was.
// Run by hand: node bench/reconcile.ts [settled rows] [open rows]

import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { countIn, finalStates } from '#src/issuance/state.ts'
import { scanReport } from '#src/reconcile/scan-report.ts'
import { Secret } from '#src/secret/secret.ts'
import { systemClock as clock } from '#src/time/clock.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { writeList } from './parts/people.ts'
import { postgresCpuMs } from './parts/postgres-time.ts'
import { startSandbox } from './parts/sandbox.ts'
import { fillLedger } from './parts/settled-ledger.ts'
import { printTable, whole } from './parts/table.ts'

const settled = Number(process.argv[2] ?? 1_000_000)
const open = Number(process.argv[3] ?? 10_000)

console.log(`${whole(open)} open rows, calls of 100, pages of 500; the report shows each as it is a second later`)
const lines = [
  [
    'settled',
    'report calls',
    'known after',
    'CPU of ours',
    'CPU of PostgreSQL',
    'one more reading',
    'of it PostgreSQL',
  ],
]
const few = await measure(0)
const many = await measure(settled)
printTable([...lines, few.line, many.line])
console.log(
  `one reading with ${whole(open)} requests of today: ${(many.readingMs / few.readingMs).toFixed(2)} times as long`,
)
process.exit(0)

async function measure(already: number) {
  const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-reconcile-'))
  const file = join(folder, 'people.csv')
  writeList(file, open)
  const postgres = await openEmbeddedPostgres({ dataDir: folder, clock })
  const sandbox = await startSandbox({ settled: already })
  const app = await openBenchApp(sandbox, { folder, databaseUrl: new Secret(postgres.url) })
  if (already > 0) await fillLedger(app.database, { rows: already, kind: 'settled', courseUuid: sandbox.course.uuid })
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
      whole(already),
      String(calls),
      seconds(all.ms),
      seconds(all.ours),
      seconds(all.postgres),
      seconds(reading.ms),
      seconds(reading.postgres),
    ],
  }
}

/** What it took since now, in milliseconds. */
function startCost(pid: number) {
  const began = clock.monotonicMs()
  const ours = process.cpuUsage()
  const postgres = postgresCpuMs(pid)
  return () => {
    const { user, system } = process.cpuUsage(ours)
    return {
      ms: clock.monotonicMs() - began,
      ours: (user + system) / 1_000,
      postgres: postgresCpuMs(pid) - postgres,
    }
  }
}
