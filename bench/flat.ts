// Measures whether a person costs the same whatever the length of the list, the age of the ledger and the statistics of
// the database: a list is processed from its file until it is issued.
// Statistics are `fresh` (taken every second, or as often as a tenth of the time allows), `old` (taken when the list
// was published, and not again) or `missing`.
// `buffers` is the memory in which the database keeps pages; its own default is meant for some hundred thousand rows.
// Run by hand:
//   node bench/flat.ts [lists=1000,10000] [settled=0] [statistics=missing,old,fresh] [batch=100] [buffers=64MB] [top]

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { countIn, finalStates } from '#src/domain/credential/state.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { isGiven, numbersOf, textsOf } from './parts/arguments.ts'
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

type Statistics = 'missing' | 'old' | 'fresh'

const lists = numbersOf('lists', [1_000, 10_000, 100_000])
const settledCounts = numbersOf('settled', [0, 1_000_000])
const kinds = (textsOf('statistics') ?? ['missing', 'old', 'fresh']) as Statistics[]
const [batch = 100] = numbersOf('batch', [100])
const [buffers = '64MB'] = textsOf('buffers') ?? []

/** Statements of this benchmark itself. */
const isUpkeep = (query: string) => /pg_statistic|pg_class|^ANALYZE$/.test(query)

const head = [
  'list',
  'settled',
  'statistics',
  'database µs CPU',
  'µs in statements',
  'waiting',
  'pages',
  'kB on disk',
  'our µs CPU',
  'MB at most',
  's',
]
const lines: string[][] = []
for (const settled of settledCounts)
  for (const statistics of kinds)
    for (const rows of lists) {
      const { line, statements, sizes } = await measure(rows, settled, statistics)
      lines.push(line)
      if (isGiven('top')) {
        printStatements(rows, statements)
        const largest = sizes.filter((size) => size.table + size.indexes >= 1).toSorted((a, b) => b.table - a.table)
        const cells = largest.map(({ name, table, indexes }) => [name, whole(table), whole(indexes)])
        printTable([['table', 'bytes/person', 'of its indexes'], ...cells])
      }
      process.stderr.write('.')
    }
process.stderr.write('\n')
console.log(`for each person, from the file to issued, batches of ${batch}, shared_buffers ${buffers}`)
printTable([head, ...lines])
process.exit(0)

async function measure(rows: number, settled: number, statistics: Statistics) {
  const folder = await newFolder('flat')
  const server = await openPostgresWithStatementCosts(folder, {
    autovacuum: statistics === 'fresh' ? 'on' : 'off',
    shared_buffers: buffers,
  })
  const sandbox = await startSandbox()
  const app = await openBenchApp(sandbox, {
    folder,
    databaseUrl: new Secret(server.url),
    size: batch,
    reconcile: { every: '1s' },
  })
  if (settled > 0) await fillLedger(app.database, { rows: settled, kind: 'settled', courseUuid: sandbox.course.uuid })
  const file = join(folder, 'people.csv')
  writeList(file, rows)
  const sizesBefore = await readSizes(server.url)
  await server.begin()
  const upkeep = startUpkeep(server.url, statistics)
  const startedAt = clock.monotonicMs()
  const ourCpu = process.cpuUsage()
  const databaseCpuMs = server.cpuMs()
  const worker = await startWorker(app)
  const run = await handOver(app, file)
  await untilRun(app, run, ({ states }) => countIn(states, finalStates) === rows)
  const seconds = (clock.monotonicMs() - startedAt) / 1_000
  const { user, system } = process.cpuUsage(ourCpu)
  const databaseMs = server.cpuMs() - databaseCpuMs
  clearInterval(upkeep)
  await worker?.stop()
  const sizes = [...(await readSizes(server.url))].map(([name, { table, indexes }]) => {
    const before = sizesBefore.get(name) ?? { table: 0, indexes: 0 }
    return { name, table: (table - before.table) / rows, indexes: (indexes - before.indexes) / rows }
  })
  const statements = (await server.statements()).filter(({ query }) => !isUpkeep(query))
  await app[Symbol.asyncDispose]()
  sandbox.stop()
  await server.release()
  await rm(folder, { recursive: true, force: true })
  const total = (of: (each: Statement) => number, from = statements) => from.reduce((sum, each) => sum + of(each), 0)
  const waits = statements.filter(({ query }) => query.includes('pg_advisory'))
  const perPerson = (value: number) => (value / rows).toFixed(0)
  const line = [
    whole(rows),
    whole(settled),
    statistics,
    perPerson(databaseMs * 1_000),
    perPerson((total((each) => each.total) - total((each) => each.total, waits)) * 1_000),
    perPerson(total((each) => each.total, waits) * 1_000),
    perPerson(total((each) => each.buffers)),
    (sizes.reduce((sum, { table, indexes }) => sum + table + indexes, 0) / 1_024).toFixed(1),
    perPerson(user + system),
    // Of this process so far, so it says something about the first line only.
    whole(process.resourceUsage().maxRSS / 1_024),
    seconds.toFixed(1),
  ]
  return { line, statements, sizes }
}

/** Reads what the ledger's tables and indexes take, including what old versions of rows leave behind. */
async function readSizes(url: string): Promise<Map<string, { table: number; indexes: number }>> {
  return withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string; table: string; indexes: string }>(
      `SELECT relname AS name, pg_table_size(oid) AS table, pg_indexes_size(oid) AS indexes
       FROM pg_class WHERE relnamespace = 'credsync'::regnamespace AND relkind = 'r'`,
    )
    return new Map(rows.map(({ name, table, indexes }) => [name, { table: Number(table), indexes: Number(indexes) }]))
  })
}

/** Each second, but for a tenth of the time at most: a large ledger takes longer. */
function startUpkeep(url: string, statistics: Statistics): NodeJS.Timeout {
  let notBefore = 0
  return setInterval(async () => {
    const startedAt = clock.monotonicMs()
    if (startedAt < notBefore) return
    notBefore = Number.POSITIVE_INFINITY
    await keepStatistics(url, statistics).catch(() => {})
    notBefore = startedAt + 10 * (clock.monotonicMs() - startedAt)
  }, 1_000)
}

/** Takes new statistics of all tables, or deletes them. */
function keepStatistics(url: string, statistics: Statistics): Promise<void> {
  return withClient(url, async (client) => {
    if (statistics === 'fresh') await client.query('ANALYZE')
    if (statistics !== 'missing') return
    const ours = `SELECT oid FROM pg_class WHERE relnamespace = 'credsync'::regnamespace`
    await client.query(`DELETE FROM pg_statistic WHERE starelid IN (${ours})`)
    await client.query(
      `UPDATE pg_class SET relpages = 0, reltuples = -1 WHERE oid IN (${ours}) AND relkind IN ('r', 'i')`,
    )
  })
}

function printStatements(rows: number, statements: readonly Statement[]): void {
  console.log(`\n${whole(rows)} people`)
  printTable([
    ['statement', 'calls', 'ms', 'ms/call', 'pages/call', 'µs/person'],
    ...statements
      .slice(0, 22)
      .map(({ query, calls, total, buffers }) => [
        shorten(query),
        whole(calls),
        whole(total),
        (total / calls).toFixed(2),
        whole(buffers / calls),
        ((total * 1_000) / rows).toFixed(1),
      ]),
  ])
}
