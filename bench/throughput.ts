// Recipients a second from a list to the service, by batch size, and the processor time of our process for each of them, to read and to send, against a
// floor measured in the same run: a bare bulk insert of what the ledger keeps, then bare calls with the same bodies at the pace of the limit.
// Sandbox and database are processes of their own and not counted. Run by hand: node bench/throughput.ts [batch=rows …]

import { mkdtemp, rm } from 'node:fs/promises'
import module from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import v8 from 'node:v8'
import { systemClock as clock } from '#src/time/clock.ts'
import { bareInsert } from './parts/bare-insert.ts'
import { barePosts } from './parts/bare-posts.ts'
import { writeList } from './parts/people.ts'
import { type BenchSandbox, startSandbox } from './parts/sandbox.ts'
import { megabytes, printTable, whole } from './parts/table.ts'

// As the program begins (jobs/credsync.mjs).
v8.setFlagsFromString('--optimize-for-size')
module.enableCompileCache()
const { startWorker } = await import('#jobs/worker.ts')
const { countIn, finalStates } = await import('#src/issuance/state.ts')
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
    'of the floor',
    'known after',
    'CPU µs each',
    'read',
    'sent',
    'floor',
    'times',
    'until known',
    'report calls / 1,000',
    '429',
    'peak',
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
  const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-throughput-'))
  const file = join(folder, 'people.csv')
  writeList(file, rows)
  const sandbox = await startSandbox()
  const app = await openBenchApp(sandbox, { folder, size })
  let peak = 0
  const watch = setInterval(() => {
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
  clearInterval(watch)
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
  // At the pace of the limit, but not held to it: the floor has no gate that would keep its calls apart.
  const sandbox: BenchSandbox = await startSandbox({ settings: { limits: { general: 1_000, auth: 3 } } })
  const cost = startCost()
  await insert()
  await barePosts(sandbox, rows, size, limit)
  const spent = cost()
  sandbox.stop()
  return spent
}

/** What this process took since now: seconds, and milliseconds of all its threads' processor time. */
function startCost(): () => Cost {
  const began = clock.monotonicMs()
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return { seconds: (clock.monotonicMs() - began) / 1_000, cpuMs: (user + system) / 1_000 }
  }
}
