// From a CSV to a published run in the ledger, against the two things that it cannot do without: a bare parse of the same file, and a bare bulk
// insert of as many rows. Run by hand: node bench/intake.ts [rows]

import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parse } from 'csv-parse'
import { parseFileSettings } from '#config/settings.ts'
import { intake } from '#jobs/intake.ts'
import { openApp } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { openSandbox } from '#src/sandbox/open-sandbox.ts'
import { Secret } from '#src/secret/secret.ts'
import { hashFile } from '#src/sources/hash-file.ts'
import { systemClock as clock } from '#src/time/clock.ts'

const rows = Number(process.argv[2] ?? 1_000_000)
const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-intake-'))
const file = join(folder, 'people.csv')
await pipeline(Readable.from(people()), createWriteStream(file))

const sandbox = await openSandbox({}, clock)
const [course] = sandbox.courses
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
          course: course?.uuid,
          template: course?.templateUuid,
          badgeTemplate: course?.badgeTemplateUuid,
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

const taken = await timed(fileToLedger)
const peakTaking = peak
const inserted = await timed(bareInsert)
const parsed = await timed(bareParse)
clearInterval(watch)
await app[Symbol.asyncDispose]()
await sandbox.close()
await rm(folder, { recursive: true, force: true })

const pace = (seconds: number) => `${Math.round(rows / seconds).toLocaleString('en')} rows/s`
console.log(`${rows.toLocaleString('en')} rows`)
console.log(`bare parse        ${pace(parsed)}`)
console.log(`bare bulk insert  ${pace(inserted)}`)
console.log(
  `CSV to ledger     ${pace(taken)}, ${(Math.max(parsed, inserted) / taken).toFixed(2)} of the slower of the two`,
)
console.log(`peak memory       ${Math.round(peakTaking / 1_048_576)} MB resident, the sandbox in the same process`)
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

/** As many rows with the same data, five hundred at a time, into a table of one key. */
async function bareInsert(): Promise<void> {
  await app.database.query('CREATE TABLE bare (n int PRIMARY KEY, cells jsonb NOT NULL, recipient jsonb NOT NULL)')
  for (let from = 0; from < rows; from += 500) {
    const numbers = Array.from({ length: Math.min(500, rows - from) }, (_, index) => from + index)
    const cells = numbers.map((n) => JSON.stringify(cellsOf(n)))
    await app.database.query('INSERT INTO bare SELECT * FROM unnest($1::int[], $2::jsonb[], $3::jsonb[])', [
      numbers,
      cells,
      numbers.map((n) => {
        const [Email, first, last, born, phone] = cellsOf(n)
        return JSON.stringify({ Email, 'First Name': first, 'Last Name': last, 'Birth Date': born, phone })
      }),
    ])
  }
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

function* people(): Generator<string> {
  yield 'Email,First Name,Last Name,Birth Date,Contact Number\n'
  for (let n = 0; n < rows; n++) yield `${cellsOf(n).join(',')}\n`
}

function cellsOf(n: number): string[] {
  const day = String(1 + (n % 28)).padStart(2, '0')
  return [`p${n}@example.org`, `Jürgen${n}`, `Müller ${n}`, `1990-01-${day}`, `0170${String(n).padStart(7, '0')}`]
}
