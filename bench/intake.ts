// From a CSV to a published run in the ledger, against the two things that it cannot do without: a bare parse of the same file, and a bare bulk
// insert of what the ledger keeps of as many rows. Run by hand: node bench/intake.ts [rows]
//
// The bare insert fills four tables with the columns, checks and indexes of issuance, issuance_match, run_row and history, with as many bytes as
// a publication leaves there, and nothing else: no triggers, no references, no staging, made-up hashes. A thousand rows to a statement, as binary
// arrays, all in one transaction, on the same server. Beside it, for comparison, the least that could be called keeping a list: one table of one
// key that holds the cells and the record.

import { execFileSync, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import v8 from 'node:v8'
import { parse } from 'csv-parse'
import { bytesArray, intArray, jsonArray } from '#src/database/binary-array.ts'
import type { Sql } from '#src/database/database.ts'
import { silentLog } from '#src/log/log.ts'
import { Secret } from '#src/secret/secret.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { systemClock as clock } from '#src/time/clock.ts'
import { cellsOf, thousands } from './listed-people.ts'
import type { SandboxTold } from './sandbox-child.ts'

// As the program begins (jobs/credsync.mjs): what is loaded before counts as memory.
v8.setFlagsFromString('--optimize-for-size')
module.enableCompileCache()
const { parseFileSettings } = await import('#config/settings.ts')
const { intake } = await import('#jobs/intake.ts')
const { openApp } = await import('#src/app.ts')

const rows = Number(process.argv[2] ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-intake-'))
const file = join(folder, 'people.csv')
execFileSync(process.execPath, [join(import.meta.dirname, 'listed-people.ts'), file, String(rows)])

const child = fork(join(import.meta.dirname, 'sandbox-child.ts'))
const [sandbox] = (await once(child, 'message')) as [SandboxTold]
const app = await openApp(
  {
    configPath: 'bench',
    baseUrl: sandbox.url,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    databaseUrl: null,
    redisUrl: null,
    dataDir: folder,
    file: parseFileSettings({
      service: { environment: 'development' },
      pipelines: {
        bench: {
          course: sandbox.course.uuid,
          template: sandbox.course.templateUuid,
          badgeTemplate: sandbox.course.badgeTemplateUuid,
          columns: { 'Primary Value': { value: 'Email' } },
        },
      },
    }),
  },
  { clock, log: silentLog, random: Math.random },
)
let peak = 0
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50)

const before = process.memoryUsage.rss()
const taken = await timed(fileToLedger)
const peakTaking = peak
const inserted = await timed(bareInsert)
const kept = await timed(leastInsert)
const parsed = await timed(bareParse)
clearInterval(watch)
await app[Symbol.asyncDispose]()
child.disconnect()
await rm(folder, { recursive: true, force: true })

const pace = (seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows/s`
const share = (seconds: number) => (seconds / taken).toFixed(2)
console.log(`${rows.toLocaleString('en')} rows`)
console.log(`bare parse         ${pace(parsed)}`)
console.log(`bare bulk insert   ${pace(inserted)}, of all that the ledger keeps`)
console.log(`one table, one key ${pace(kept)}`)
console.log(`CSV to ledger      ${pace(taken)}`)
console.log(`${share(Math.max(parsed, inserted))} of the slower of parse and insert, ${share(kept)} of one table alone`)
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)
console.log(`peak memory        ${megabytes(peakTaking)} MB resident, ${megabytes(before)} before the file`)
process.exit(0)

async function fileToLedger(): Promise<void> {
  const sourceSha256 = await hashFile(file)
  const { run } = await app.ledger.receiveRun({
    pipeline: 'bench',
    sourceName: 'people.csv',
    sourcePath: file,
    sourceSha256,
  })
  await intake(app, { runId: run.id })
  const published = await app.ledger.findRun(run.id)
  if (published?.accepted !== rows) throw new Error(`${published?.accepted} of ${rows} rows were accepted.`)
}

async function bareInsert(): Promise<void> {
  await app.database.transaction(async (sql) => {
    for (const table of ['issuance', 'issuance_match', 'run_row', 'history'])
      await sql.query(
        `CREATE TABLE bare_${table} (LIKE ${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING INDEXES)`,
      )
    for (const numbers of thousands(rows)) await insertThousand(sql, numbers)
  })
}

async function insertThousand(sql: Sql, numbers: readonly number[]): Promise<void> {
  const run = '8c1f2f44-3df1-4a52-8f4e-55d0a7e6a001'
  const ids = intArray(numbers)
  const hashes = () => bytesArray(numbers.map(() => randomBytes(32)))
  const evidence = jsonArray(numbers.map((n) => JSON.stringify({ source: 'people.csv', row: n, run })))
  await sql.query(
    `INSERT INTO bare_issuance (id, environment, course_uuid, issuance_key, identity_hash, run_id, row_number, pipeline, recipient, evidence)
     SELECT n, 'development', $2, key, identity, $2, n, 'bench', recipient, evidence
     FROM unnest($1::int[], $3::bytea[], $4::bytea[], $5::jsonb[], $6::jsonb[]) r(n, key, identity, recipient, evidence)`,
    [ids, run, hashes(), hashes(), jsonArray(numbers.map(recordOf)), evidence],
  )
  await sql.query('INSERT INTO bare_issuance_match SELECT * FROM unnest($1::bytea[], $2::int[])', [hashes(), ids])
  await sql.query(
    `INSERT INTO bare_run_row (run_id, row_number, outcome, cells, issuance_id)
     SELECT $1, n, 'accepted', cells, n FROM unnest($2::int[], $3::jsonb[]) r(n, cells)`,
    [run, ids, jsonArray(numbers.map((n) => JSON.stringify(cellsOf(n))))],
  )
  await sql.query(
    `INSERT INTO bare_history (id, issuance_id, event, to_state, evidence)
     SELECT n, n, 'accepted', 'pending', evidence FROM unnest($1::int[], $2::jsonb[]) r(n, evidence)`,
    [ids, evidence],
  )
}

async function leastInsert(): Promise<void> {
  await app.database.transaction(async (sql) => {
    await sql.query('CREATE TABLE least (n int PRIMARY KEY, cells jsonb NOT NULL, recipient jsonb NOT NULL)')
    for (const numbers of thousands(rows)) {
      const cells = jsonArray(numbers.map((n) => JSON.stringify(cellsOf(n))))
      await sql.query('INSERT INTO least SELECT * FROM unnest($1::int[], $2::jsonb[], $3::jsonb[])', [
        intArray(numbers),
        cells,
        jsonArray(numbers.map(recordOf)),
      ])
    }
  })
}

function recordOf(n: number): string {
  const [Email, first, last, born, phone] = cellsOf(n)
  const names = { Email, 'First Name': first, 'Last Name': last }
  return JSON.stringify({ ...names, 'Contact Number': phone, 'Primary Value': 'Email', 'Birth Date': born })
}

async function bareParse(): Promise<void> {
  let read = -1
  await pipeline(createReadStream(file), parse(), async (records: AsyncIterable<string[]>) => {
    for await (const _ of records) read++
  })
  if (read !== rows) throw new Error(`${read} of ${rows} rows were parsed.`)
}

/** Seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const began = clock.monotonicMs()
  await work()
  return (clock.monotonicMs() - began) / 1_000
}
