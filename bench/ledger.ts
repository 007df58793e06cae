// Measures the worker's most expensive statements on a ledger with five million settled rows and on one without, and
// prints the plans of the top five. A list is processed from its file until it is issued, while the server records
// statistics (pg_stat_statements).
// Run by hand: node bench/ledger.ts [settled rows] [open rows]. Five million rows need about 8 GB of disk and 15
// minutes.

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'
import { startWorker } from '#jobs/worker.ts'
import { countIn, finalStates } from '#src/domain/credential/state.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { fillLedger } from './parts/fill-ledger.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import {
  openPostgresWithStatementCosts,
  type Statement,
  shorten,
  withClient,
} from './parts/postgres-statement-costs.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'

const settled = Number(process.argv[2] ?? 5_000_000)
const open = Number(process.argv[3] ?? 10_000)
const printedStatements = 14

const folder = await newFolder('ledger')
const small = await measure(join(folder, 'small'), 0)
const large = await measure(join(folder, 'large'), settled)
await rm(folder, { recursive: true, force: true })

const totalMs = (statements: Map<string, Statement>) =>
  [...statements.values()].reduce((sum, { total }) => sum + total, 0)
console.log(
  `${whole(open)} rows from their file to issued; milliseconds of the database for all calls, and for each call`,
)
const costliest = [...large.statements.values()].sort((a, b) => b.total - a.total).slice(0, printedStatements)
printTable([
  ['statement', 'calls', 'ms', 'ms/call', 'ms/call, none settled', 'ratio'],
  ...costliest.map(({ query, calls, total }) => {
    const inSmall = small.statements.get(query)
    const msPerCall = total / calls
    const msPerCallInSmall = inSmall ? inSmall.total / inSmall.calls : Number.NaN
    return [
      shorten(query),
      whole(calls),
      whole(total),
      msPerCall.toFixed(2),
      msPerCallInSmall.toFixed(2),
      (msPerCall / msPerCallInSmall).toFixed(1),
    ]
  }),
])
console.log(
  `all statements: ${whole(totalMs(large.statements))} ms with ${whole(settled)} settled rows, ${whole(totalMs(small.statements))} ms with none`,
)
console.log(`from the file to issued: ${large.seconds.toFixed(1)} s and ${small.seconds.toFixed(1)} s`)
for (const plan of large.plans) console.log(`\n${plan}`)
process.exit(0)

async function measure(dataDir: string, settledRows: number) {
  const server = await openPostgresWithStatementCosts(dataDir)
  const sandbox = await startSandbox()
  const app = await openBenchApp(sandbox, {
    folder: dataDir,
    databaseUrl: new Secret(server.url),
    reconcile: { every: '1s' },
  })
  if (settledRows > 0)
    await fillLedger(app.database, { rows: settledRows, kind: 'settled', courseUuid: sandbox.course.uuid })
  const file = join(dataDir, 'people.csv')
  writeList(file, open)
  await server.begin()
  const startedAt = clock.monotonicMs()
  const worker = await startWorker(app)
  const run = await handOver(app, file)
  await untilRun(app, run, ({ states }) => countIn(states, finalStates) === open)
  const seconds = (clock.monotonicMs() - startedAt) / 1_000
  await worker?.stop()
  await app[Symbol.asyncDispose]()
  sandbox.stop()
  const found = await server.statements()
  const plans = await withClient(server.url, (client) => plansOf(client, found))
  await server.release()
  return { seconds, statements: new Map(found.map((each) => [each.query, each])), plans }
}

/** Returns the generic plans of the five most expensive statements. */
async function plansOf(client: pg.Client, statements: readonly Statement[]): Promise<string[]> {
  const plans: string[] = []
  await client.query('SET search_path = credsync')
  for (const { query } of statements) {
    if (plans.length === 5) break
    if (!/^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)/i.test(query)) continue
    try {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (GENERIC_PLAN) ${query}`)
      plans.push([shorten(query), ...rows.map((row) => row['QUERY PLAN'])].join('\n'))
    } catch {
      // Without values the server cannot infer the types of this statement, so the next one is shown instead.
    }
  }
  return plans
}
