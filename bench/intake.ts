// From a CSV to a published run in the ledger, against the two things that it cannot do without: a bare parse of the same file, and a bare bulk
// insert of what the ledger keeps of as many rows. Run by hand: node bench/intake.ts [rows]
//
// What the bare insert is: parts/bare-insert.ts.

import { createReadStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import v8 from 'node:v8'
import { parse } from 'csv-parse'
import { systemClock as clock } from '#src/time/clock.ts'
import { bareInsert, leastInsert } from './parts/bare-insert.ts'
import { writeList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'

// As the program begins (jobs/credsync.mjs): what is loaded before counts as memory.
v8.setFlagsFromString('--optimize-for-size')
module.enableCompileCache()
const { intake } = await import('#jobs/intake.ts')
const { handOver, openBenchApp } = await import('./parts/bench-app.ts')

const rows = Number(process.argv[2] ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-intake-'))
const file = join(folder, 'people.csv')
writeList(file, rows)

const sandbox = await startSandbox()
const app = await openBenchApp(sandbox, { folder })
let peak = 0
const watch = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50)

const before = process.memoryUsage.rss()
const taken = await timed(fileToLedger)
const peakTaking = peak
const inserted = await timed(() => bareInsert(app.database, rows))
const kept = await timed(() => leastInsert(app.database, rows))
const parsed = await timed(bareParse)
clearInterval(watch)
await app[Symbol.asyncDispose]()
sandbox.stop()
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
  const runId = await handOver(app, file)
  await intake(app, { runId })
  const published = await app.ledger.findRun(runId)
  if (published?.accepted !== rows) throw new Error(`${published?.accepted} of ${rows} rows were accepted.`)
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
