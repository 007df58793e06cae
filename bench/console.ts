// Measures how long each page of the console takes with many settled rows, on a quiet worker and while a list is issued.
// One worker serves the console and issues the list, as `credsync start` does; a visitor asks for one page after the
// other. The goal is a p95 of 100 ms.
// Run by hand: node bench/console.ts [settled rows=1000000] [people=20000] [batch=10] [top]

import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { countIn, finalStates } from '#src/domain/credential/state.ts'
import type { Database } from '#src/platform/database/database.ts'
import { Secret } from '#src/platform/secret.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { isGiven, numbersOf } from './parts/arguments.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { freePort, openVisitor, type VisitedPage } from './parts/console-visitor.ts'
import { fillLedger } from './parts/fill-ledger.ts'
import { newFolder } from './parts/new-folder.ts'
import { cellsOf, writeList } from './parts/people.ts'
import { openPostgresWithStatementCosts, type Statement, shorten } from './parts/postgres-statement-costs.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'
import { startWorkerProcess } from './parts/worker-process.ts'

const [settled = 1_000_000, people = 20_000] = process.argv.slice(2).map(Number)
const [batch = 10] = numbersOf('batch', [10])
const goalMs = 100
const quietRounds = 25
const printedStatements = 16

const folder = await newFolder('console')
const server = await openPostgresWithStatementCosts(folder)
const sandbox = await startSandbox()
const app = await openBenchApp(sandbox, { folder, databaseUrl: new Secret(server.url), size: batch })
await fillLedger(app.database, { rows: settled, kind: 'settled', courseUuid: sandbox.course.uuid })
await addWorkOfPeople(app.database)

const port = await freePort()
const { uuid: course, templateUuid: template, badgeTemplateUuid: badgeTemplate } = sandbox.course
const pipeline = {
  course,
  template,
  badgeTemplate,
  columns: { 'Primary Value': { value: 'Email' } },
  batch: { size: batch },
}
await writeFile(
  join(folder, 'credsync.yaml'),
  JSON.stringify({
    service: { environment: 'development' },
    pipelines: Object.fromEntries(['bench', 'p0', 'p1', 'p2', 'p3', 'p4'].map((name) => [name, pipeline])),
    web: { port: 0 },
    console: { port },
    reconcile: { every: '1s' },
  }),
)
const worker = await startWorkerProcess(sandbox, {
  folder,
  env: { DATABASE_URL: server.url, CREDSYNC_DATA_DIR: folder },
})
const visitor = await openVisitor(app.ledger, port)
const file = join(folder, 'people.csv')
writeList(file, people)

const settledPages = await pagesOf(app.database)
// The worker has nothing to do then, so nearly all statements are those of the pages.
await server.begin()
const quiet = await visit(settledPages, (round) => round < quietRounds)
const statements = await server.statements()
const run = await handOver(app, file)
await untilRun(app, run, ({ states }) => countIn(states, ['issued']) > 0, 100)
const pages = { ...settledPages, ...pagesOfRun(run) }
await server.begin()
let isOver = false
const startedMs = clock.monotonicMs()
const issuing = untilRun(app, run, ({ states }) => countIn(states, finalStates) === people, 1_000).then(() => {
  isOver = true
})
const busy = await visit(pages, () => !isOver)
await issuing
const seconds = (clock.monotonicMs() - startedMs) / 1_000
const ofPages = new Set(statements.map(({ query }) => query))
const meanwhile = (await server.statements()).filter(({ query }) => ofPages.has(query))

console.log(
  `${whole(settled)} settled rows; ${whole(people)} people issued in batches of ${batch} within ${seconds.toFixed(0)} s, meanwhile:`,
)
const columns = ['p50', 'p95', 'most']
printTable([
  ['page', 'ms quiet: p50', 'p95', 'ms, issuing: p50', 'p95', 'most', 'times', `p95 over ${goalMs} ms`],
  ...Object.keys(pages).map((name) => {
    const [before, during] = [quiet.get(name) ?? [], busy.get(name) ?? []]
    const [p50 = '', p95 = '', most = ''] = columns.map((_, at) => shareOf(during, [0.5, 0.95, 1][at] ?? 1))
    const isSlow = share(during, 0.95) > goalMs
    return [
      name,
      shareOf(before, 0.5),
      shareOf(before, 0.95),
      p50,
      p95,
      most,
      whole(during.length),
      isSlow ? 'yes' : '',
    ]
  }),
])
if (isGiven('top')) {
  printStatements('statement on the quiet worker', statements)
  printStatements('statement while the list is issued', meanwhile)
}
await worker.stop()
await app[Symbol.asyncDispose]()
sandbox.stop()
await server.release()
await rm(folder, { recursive: true, force: true })
process.exit(0)

function printStatements(title: string, all: readonly Statement[]): void {
  printTable([
    [title, 'calls', 'ms/call', 'pages/call'],
    ...all
      .toSorted((a, b) => b.total / b.calls - a.total / a.calls)
      .slice(0, printedStatements)
      .map(({ query, calls, total, buffers }) => [
        shorten(query),
        whole(calls),
        (total / calls).toFixed(1),
        whole(buffers / calls),
      ]),
  ])
}

/** Held, failed and revoked rows with their history, and the log of years. */
async function addWorkOfPeople(database: Database): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query('SET LOCAL statement_timeout = 0')
    await sql.query(
      `UPDATE issuance SET state = 'held', reason = 'the report shows another name', state_since = clock_timestamp() - id * interval '1 s' WHERE id % 5000 = 7`,
    )
    await sql.query(`UPDATE issuance SET credential_id = NULL WHERE state = 'failed'`)
    await sql.query(
      `INSERT INTO history (issuance_id, event, from_state, to_state, at, evidence)
       SELECT id, CASE n WHEN 1 THEN 'sending' WHEN 2 THEN 'a person decided: retry' ELSE 'report' END, 'pending', CASE n WHEN 1 THEN 'sending' ELSE 'requested' END,
              clock_timestamp() - id * interval '1 s', '{"by": "ada", "why": "the service had a bad night"}'
       FROM issuance, generate_series(1, 3) n WHERE id % 50 = 7`,
    )
    await sql.query(
      `INSERT INTO revocation (environment, credential_id, issuance_id, by, why, state)
       SELECT environment, credential_id, id, 'ada', 'was not there', 'seen' FROM issuance WHERE state = 'revoked'`,
    )
    await sql.query(
      `INSERT INTO console_act (environment, at, by, act, issuance_id)
       SELECT 'development', clock_timestamp() - n * interval '5 min', 'ada', 'looked at a person', n FROM generate_series(1, 100000) n`,
    )
  })
  await database.query('VACUUM ANALYZE')
}

type Pages = Readonly<Record<string, VisitedPage>>

async function pagesOf(database: Database): Promise<Pages> {
  const one = async (sql: string) => (await database.query<{ id: string }>(sql)).rows[0]?.id ?? ''
  const old = await one(`SELECT id FROM run WHERE settled_at IS NOT NULL ORDER BY id LIMIT 1`)
  const held = await one(`SELECT id FROM issuance WHERE state = 'held' ORDER BY id LIMIT 1`)
  const failed = await one(`SELECT id FROM issuance WHERE state = 'failed' ORDER BY id DESC LIMIT 1`)
  const issued = await one(`SELECT id FROM issuance WHERE state = 'issued' ORDER BY id DESC LIMIT 1`)
  const ofFailed = await one(`SELECT run_id AS id FROM issuance WHERE id = ${failed}`)
  const cursor = (await visitor.open({ path: '/runs' })).text.match(/href="(\/runs\?before=[^"]+)"/)?.[1]
  const page = (path: string): VisitedPage => ({ path: path.replaceAll('&amp;', '&') })
  return {
    overview: page('/'),
    'part of the overview': page('/overview'),
    runs: page('/runs'),
    ...(cursor !== undefined && { 'runs, second page': page(cursor) }),
    'runs, open': page('/runs?state=open'),
    'runs, by a name that none has': page('/runs?name=nothing'),
    'runs, of a pipeline and some days': page('/runs?pipeline=p1&from=2020-01-01&until=2020-02-01'),
    'a settled run': page(`/runs/${old}`),
    'its failed rows': page(`/runs/${ofFailed}/retry`),
    search: page('/people'),
    'search for a credential': { path: '/people', form: { who: `C-${Number(issued) - 1}` } },
    'a person': page(`/people/i${issued}`),
    revoke: page(`/people/i${issued}/revoke`),
    correct: page(`/people/i${issued}/correct`),
    'send again': page(`/people/i${failed}/retry`),
    held: page('/held'),
    'a held row': page(`/held/i${held}`),
    'changed rows': page('/corrections'),
    upload: page('/upload'),
    log: page('/log'),
    'log, years ago': page('/log?before=2025-12-01T00:00:00.000000Z'),
  }
}

function pagesOfRun(id: string): Pages {
  return {
    'the run under way': { path: `/runs/${id}` },
    'part of the run': { path: `/runs/${id}/progress` },
    'search for an address': { path: '/people', form: { who: cellsOf(0)[0] ?? '' } },
  }
}

/** Opens one page after the other, round by round. @returns milliseconds by page, sorted */
async function visit(all: Pages, goesOn: (round: number) => boolean): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(all).map((name) => [name, []]))
  for (let round = 0; goesOn(round); round++)
    for (const [name, page] of Object.entries(all)) times.get(name)?.push((await visitor.open(page)).ms)
  // The first time loads what the page needs.
  for (const each of times.values()) each.splice(0, 1)
  for (const each of times.values()) each.sort((a, b) => a - b)
  return times
}

function share(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

function shareOf(sorted: readonly number[], part: number): string {
  return share(sorted, part).toFixed(0)
}
