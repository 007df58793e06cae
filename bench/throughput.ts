// Measures recipients per second from a list to the service, by batch size, and the worker's CPU time per recipient for
// reading and for sending. The floor, measured in the same run, is a plain bulk insert of the same data followed by
// plain calls with the same bodies at the rate limit. Sandbox and database run in separate processes and are not
// counted. Run by hand: node bench/throughput.ts [batch=rows …]

import { rm } from 'node:fs/promises'
import module from 'node:module'
import { join } from 'node:path'
import v8 from 'node:v8'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { bareInsert } from './parts/bare-insert.ts'
import { barePosts } from './parts/bare-posts.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import { type BenchSandbox, startSandbox } from './parts/sandbox.ts'
import { megabytes, printTable, whole } from './parts/table.ts'

// The same flags as jobs/credsync.mjs.
v8.setFlagsFromString('--semi-space-growth-factor=1 --heap-growing-percent=20')
module.enableCompileCache()
const { startWorker } = await import('#jobs/worker.ts')
const { countIn, finalStates } = await import('#src/domain/credential/state.ts')
const { handOver, openBenchApp, untilRun } = await import('./parts/bench-app.ts')

const limit = 60
const sizes = process.argv.slice(2).map((text) => text.split('=').map(Number))
const wanted =
  sizes.length > 0
    ? sizes
    : [
        [1, 1_200],
        [25, 20_000],
        [100, 60_000],
        [500, 200_000],
      ]

interface Cost {
  seconds: number
  cpuMs: number
}

const lines = [
  [
    'batch',
    'rows',
    'sent/s',
    'floor/s',
    'share of floor',
    'all final after',
    'CPU µs/row',
    'CPU µs/row for reading',
    'CPU µs/row for sending',
    'CPU µs/row of floor',
    'CPU / floor',
    'CPU µs/row until final',
    'report calls / 1,000',
    '429 responses',
    'peak memory',
  ],
]
for (const [size = 100, rows = 20_000] of wanted) {
  lines.push(await measure(size, rows))
  process.stderr.write('.')
}
process.stderr.write('\n')
printTable(lines)
process.exit(0)

async function measure(size: number, rows: number): Promise<string[]> {
  const folder = await newFolder('throughput')
  const file = join(folder, 'people.csv')
  writeList(file, rows)
  const sandbox = await startSandbox()
  const app = await openBenchApp(sandbox, { folder, size })
  let peak = 0
  const memoryTimer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 100)

  const worker = await startWorker(app)
  const cost = startCost()
  const run = await handOver(app, file)
  await untilRun(app, run, ({ run }) => run.state === 'published')
  const read = cost()
  await untilRun(app, run, ({ states }) => states.pending + states.sending === 0)
  const sent = cost()
  await untilRun(app, run, ({ states }) => countIn(states, finalStates) === rows)
  const known = cost()
  clearInterval(memoryTimer)
  await worker?.stop()
  const { throttled, recipientsAccepted } = await sandbox.counts()
  if (recipientsAccepted !== rows) throw new Error(`The sandbox took ${recipientsAccepted} of ${rows}.`)
  const calls = app.issuer.counts()
  sandbox.stop()

  const floor = await floorOf(() => bareInsert(app.database, rows), size, rows)
  await app[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })

  const micro = ({ cpuMs }: Cost) => ((cpuMs * 1_000) / rows).toFixed(0)
  return [
    String(size),
    whole(rows),
    whole(rows / sent.seconds),
    whole(rows / floor.seconds),
    (floor.seconds / sent.seconds).toFixed(2),
    `${known.seconds.toFixed(1)} s`,
    micro(sent),
    micro(read),
    micro({ ...sent, cpuMs: sent.cpuMs - read.cpuMs }),
    micro(floor),
    (sent.cpuMs / floor.cpuMs).toFixed(2),
    `${micro(known)} (${(known.cpuMs / floor.cpuMs).toFixed(2)})`,
    (((calls.report ?? 0) / rows) * 1_000).toFixed(1),
    String(throttled),
    megabytes(peak),
  ]
}

async function floorOf(insert: () => Promise<void>, size: number, rows: number): Promise<Cost> {
  // Paced at the rate limit by barePosts; the sandbox's own limit is raised so that it does not interfere.
  const sandbox: BenchSandbox = await startSandbox({ settings: { limits: { general: 1_000, auth: 3 } } })
  const cost = startCost()
  await insert()
  await barePosts(sandbox, rows, size, limit)
  const spent = cost()
  sandbox.stop()
  return spent
}

/** Returns a function that returns the seconds and the CPU milliseconds of all threads since this call. */
function startCost(): () => Cost {
  const startedAt = clock.monotonicMs()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { seconds: (clock.monotonicMs() - startedAt) / 1_000, cpuMs: (user + system) / 1_000 }
  }
}
