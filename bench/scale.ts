// Measures many pipelines and several workers on one PostgreSQL: the same people in one list or spread over many, from
// files that appear in the inboxes until everyone is issued, and what the workers and the database use at rest.
// Linux only, with a redis-server on the PATH.
// Run by hand: node bench/scale.ts [pipelines=1,64] [workers=1,4] [people=6400]

import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { startRedis } from '#test/support/redis-server.ts'
import { numbersOf } from './parts/arguments.ts'
import { newFolder } from './parts/new-folder.ts'
import { dropList } from './parts/people.ts'
import { openPostgresWithStatementCosts, withClient } from './parts/postgres-statement-costs.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'
import { startWorkerProcess, type WorkerProcess, writeConfiguration } from './parts/worker-process.ts'

const [people = 6_400] = numbersOf('people', [6_400])
const restMs = 20_000

const lines = [
  [
    'pipelines',
    'workers',
    'at rest: CPU ms/s of each worker',
    'of the database',
    'MB of each worker',
    'connections at most',
    'people/s',
    'CPU µs/person of all workers',
    'of the database',
  ],
]
for (const pipelines of numbersOf('pipelines', [1, 64]))
  for (const workers of numbersOf('workers', [1, 4])) {
    lines.push(await measure(pipelines, workers))
    process.stderr.write('.')
  }
process.stderr.write('\n')
printTable(lines)
process.exit(0)

async function measure(pipelines: number, workerCount: number): Promise<string[]> {
  const folder = await newFolder('scale')
  const server = await openPostgresWithStatementCosts(join(folder, 'server'))
  const redis = await startRedis()
  if (!redis) throw new Error('There is no redis-server on the PATH.')
  const sandbox = await startSandbox()
  const names = Array.from({ length: pipelines }, (_, n) => `p${n}`)
  const inboxOf = (name: string) => join(folder, 'inbox', name)
  for (const name of names) await mkdir(inboxOf(name), { recursive: true })
  const pipelinesByName = names.map((name) => [
    name,
    { source: { inbox: inboxOf(name), schedule: '1s', settle: '250ms' } },
  ])
  await writeConfiguration(folder, sandbox, Object.fromEntries(pipelinesByName))
  const env = { DATABASE_URL: server.url, REDIS_URL: redis.url }
  const workers: WorkerProcess[] = []
  for (let n = 0; n < workerCount; n++) workers.push(await startWorkerProcess(sandbox, { folder, env }))

  const cpuMs = () => workers.reduce((sum, worker) => sum + worker.use().cpuMs, 0)
  await clock.sleep(restMs)
  const before = { workers: cpuMs(), database: server.cpuMs() }
  await clock.sleep(restMs)
  const rest = { workers: cpuMs() - before.workers, database: server.cpuMs() - before.database }

  const begun = { ms: clock.monotonicMs(), workers: cpuMs(), database: server.cpuMs() }
  const each = Math.ceil(people / pipelines)
  for (const [n, name] of names.entries())
    await dropList(inboxOf(name), 'people.csv', { first: n * each, people: each })
  let connections = 0
  await withClient(server.url, async (client) => {
    for (;;) {
      const { rows } = await client.query<{ connections: number }>(
        'SELECT count(*)::int AS connections FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND client_port IS NOT NULL',
      )
      connections = Math.max(connections, rows[0]?.connections ?? 0)
      const { rows: open } = await client.query<{ issued: number }>(
        `SELECT coalesce(sum(rows), 0)::int AS issued FROM credsync.run_count WHERE state = 'issued'`,
      )
      if (open[0]?.issued === each * pipelines) return
      await clock.sleep(250)
    }
  })
  const ms = clock.monotonicMs() - begun.ms
  const megabytes = Math.max(...workers.map((worker) => worker.use().megabytes))
  const line = [
    whole(pipelines),
    whole(workerCount),
    (rest.workers / workerCount / (restMs / 1_000)).toFixed(0),
    (rest.database / (restMs / 1_000)).toFixed(0),
    whole(megabytes),
    whole(connections),
    whole((each * pipelines) / (ms / 1_000)),
    whole(((cpuMs() - begun.workers) * 1_000) / people),
    whole(((server.cpuMs() - begun.database) * 1_000) / people),
  ]
  for (const worker of workers) await worker.stop()
  sandbox.stop()
  await redis.stop()
  await server.release()
  await rm(folder, { recursive: true, force: true })
  return line
}
