// Measures what share of the service's limit one worker uses, from the ledger to a service that takes a while to answer,
// by batch size. What counts is the time from the first call of a list to its last one. Sandbox and database run in
// separate processes. Several workers, the others as processes of their own, need DATABASE_URL and REDIS_URL.
// With a distance, that Redis is so many milliseconds away, each way.
// Run by hand: node bench/sending.ts [answer ms] [batch=calls …] [workers=1] [distance=0]

import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { numbersOf } from './parts/arguments.ts'
import { handOver, openBenchApp, untilRun } from './parts/bench-app.ts'
import { redisFarAway } from './parts/far-redis.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import { type BenchSandbox, startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'
import { startWorkerProcess, type WorkerProcess, writeConfiguration } from './parts/worker-process.ts'

const limit = 60
const answerMs = Number(process.argv[2] ?? 150)
const [workers = 1] = numbersOf('workers', [1])
const [distanceMs = 0] = numbersOf('distance', [0])
if (distanceMs > 0) process.env.REDIS_URL = await redisFarAway(process.env.REDIS_URL ?? '', distanceMs)
const sizes = process.argv
  .slice(3)
  .filter((text) => /^\d/.test(text))
  .map((text) => text.split('=').map(Number))
const wanted =
  sizes.length > 0
    ? sizes
    : [
        [1, 900],
        [25, 900],
        [100, 400],
        [500, 150],
      ]

const lines = [
  ['batch', 'calls', 'calls/s', 'share of the limit', 'in the middle half', 'most at once by one', '429', 'CPU'],
]
for (const [size = 100, calls = 300] of wanted) {
  lines.push(await measure(size, calls))
  process.stderr.write(`${lines.at(-1)?.join('  ')}\n`)
}
printTable(lines)
process.exit(0)

type App = Awaited<ReturnType<typeof openBenchApp>>

async function startOthers(
  { settings: { databaseUrl } }: App,
  sandbox: BenchSandbox,
  { folder, size }: { folder: string; size: number },
): Promise<WorkerProcess[]> {
  await writeConfiguration(folder, sandbox, { bench: { batch: { size } } })
  const env = { DATABASE_URL: databaseUrl?.reveal() ?? '', REDIS_URL: process.env.REDIS_URL ?? '' }
  const started: WorkerProcess[] = []
  while (started.length < workers - 1) started.push(await startWorkerProcess(sandbox, { folder, env }))
  return started
}

async function measure(size: number, calls: number): Promise<string[]> {
  const folder = await newFolder('sending')
  const rows = size * calls
  writeList(join(folder, 'people.csv'), rows)
  const sandbox = await startSandbox({ settings: { answerMs } })
  const app = await openBenchApp(sandbox, { folder, size })
  const others = await startOthers(app, sandbox, { folder: join(folder, 'others'), size })
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, app.senders.places.count())
  }, 50)
  const worker = await startWorker(app)
  const run = await handOver(app, join(folder, 'people.csv'))
  await untilRun(app, run, ({ run: { state } }) => state === 'published')
  const cpu = process.cpuUsage()
  await untilRun(app, run, ({ states }) => states.pending + states.sending === 0)
  const { user, system } = process.cpuUsage(cpu)
  clearInterval(watching)
  const { committedMs, throttled } = await sandbox.counts()
  for (const other of others) await other.stop()
  await worker?.stop()
  await app[Symbol.asyncDispose]()
  sandbox.stop()
  await rm(folder, { recursive: true, force: true })
  const spanMs = (committedMs.at(-1) ?? 0) - (committedMs[0] ?? 0)
  const rate = ((committedMs.length - 1) * 1_000) / spanMs
  const middle = committedMs.slice(Math.floor(committedMs.length / 4), Math.floor((committedMs.length * 3) / 4))
  const middleRate = ((middle.length - 1) * 1_000) / ((middle.at(-1) ?? 0) - (middle[0] ?? 0))
  return [
    String(size),
    whole(committedMs.length),
    rate.toFixed(1),
    (rate / limit).toFixed(3),
    (middleRate / limit).toFixed(3),
    String(most),
    String(throttled),
    `${((user + system) / 1_000 / spanMs).toFixed(2)} of a core`,
  ]
}
