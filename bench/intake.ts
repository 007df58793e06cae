// Measures intake from a CSV to a published run in the ledger, compared with its two unavoidable parts: a bare parse of
// the same file, and a bare bulk insert of the same rows (parts/bare-insert.ts).
// Run by hand: node bench/intake.ts [rows]

import { createReadStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import module from 'node:module'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import v8 from 'node:v8'
import { parse } from 'csv-parse'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { bareInsert, minimalInsert } from './parts/bare-insert.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'

// The same flags as in jobs/credsync.mjs. Set before the imports below, because the code that these load takes memory
// too.
v8.setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=20')
module.enableCompileCache()
const { intake } = await import('#jobs/intake.ts')
const { handOver, openBenchApp } = await import('./parts/bench-app.ts')

const rows = Number(process.argv[2] ?? 1_000_000)
const folder = await newFolder('intake')
const file = join(folder, 'people.csv')
writeList(file, rows)

const sandbox = await startSandbox()
const app = await openBenchApp(sandbox, { folder })
let peak = 0
const memoryTimer = setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss())
}, 50)

const memoryBefore = process.memoryUsage.rss()
const intakeSeconds = await timed(fileToLedger)
const peakDuringIntake = peak
const bulkInsertSeconds = await timed(() => bareInsert(app.database, rows))
const oneTableSeconds = await timed(() => minimalInsert(app.database, rows))
const parseSeconds = await timed(bareParse)
clearInterval(memoryTimer)
await app[Symbol.asyncDispose]()
sandbox.stop()
await rm(folder, { recursive: true, force: true })

const pace = (seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows/s`
const share = (seconds: number) => (seconds / intakeSeconds).toFixed(2)
console.log(`${rows.toLocaleString('en')} rows`)
console.log(`bare parse         ${pace(parseSeconds)}`)
console.log(`bare bulk insert   ${pace(bulkInsertSeconds)}, of all that the ledger keeps`)
console.log(`one table, one key ${pace(oneTableSeconds)}`)
console.log(`CSV to ledger      ${pace(intakeSeconds)}`)
console.log(
  `${share(Math.max(parseSeconds, bulkInsertSeconds))} of the slower of parse and insert, ${share(oneTableSeconds)} of one table alone`,
)
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)
console.log(`peak memory        ${megabytes(peakDuringIntake)} MB resident, ${megabytes(memoryBefore)} before the file`)
process.exit(0)

async function fileToLedger(): Promise<void> {
  const runId = await handOver(app, file)
  await intake(app, { runId })
  const published = await app.ledger.runs.find(runId)
  if (published?.accepted !== rows) throw new Error(`${published?.accepted} of ${rows} rows were accepted.`)
}

async function bareParse(): Promise<void> {
  // The header is a record too.
  let count = -1
  await pipeline(createReadStream(file), parse(), async (records: AsyncIterable<string[]>) => {
    for await (const _ of records) count++
  })
  if (count !== rows) throw new Error(`${count} of ${rows} rows were parsed.`)
}

/** Returns the time in seconds. */
async function timed(work: () => Promise<void>): Promise<number> {
  const startedAt = clock.monotonicMs()
  await work()
  return (clock.monotonicMs() - startedAt) / 1_000
}
