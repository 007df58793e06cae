// `npm run bench -- NAME …`: runs the benchmark of that name, or lists all benchmarks.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { printTable } from './parts/table.ts'

const benches: Record<string, string> = {
  throughput:
    'recipients per second and CPU time per recipient, by batch size, compared with bare calls and a bare insert',
  sending: 'used share of the limit from the ledger to a service that takes its time to answer, by batch size',
  limits: 'used share of a limit and refusals, with 1, 2 and 4 processes, compared with other limiters',
  'uneven-way': 'used share of a limit and refusals, if requests take unevenly long to reach the service',
  reconcile: 'report calls for 10,000 open rows, with no settled rows and with a million',
  latency: 'time of one row through an idle worker, and from issuing until the ledger shows it',
  event: 'time from an event to its response and its invitation, on an idle worker, compared with a bare POST',
  canvas: 'calls of a Canvas site for each person, to find completions and to write two columns of the gradebook',
  soak: 'a small list every 1.5 s: CPU per list, memory, threads and open files over time',
  start: 'time until ready, and memory when idle and with a list',
  ledger: 'the most expensive statements with five million settled rows, with their plans',
  scale: 'many pipelines and several workers on one PostgreSQL: use at rest, connections, people per second',
  flat: 'database and CPU time per person by length of the list, age of the ledger and statistics',
  erasure:
    'half of a list forgotten while it is issued, and listed again: the time, and whether anybody is issued twice',
  console: 'time of each page of the console with a million settled rows, on a quiet worker and while a list is issued',
  intake: 'time from a CSV to a published run, compared with a bare parse and a bare insert',
  'read-files': 'large CSV and XLSX files, compared with the bare parsers',
  readings:
    'small files read concurrently on a busy machine: crashes, and the cost of a reading compared with an idle thread',
  figures: 'what /metrics costs the database with many settled rows',
  watch: 'report calls and CPU time of one round of the watch over issued credentials',
  'report-calls': 'report calls per 1,000 people over 42 hours, on the simulated service',
  grace: 'duplicates and held rows by the length of the grace period',
}

const [name = '', ...rest] = process.argv.slice(2)
if (!(name in benches)) {
  console.log('npm run bench -- NAME [numbers]')
  printTable(Object.entries(benches).map(([each, description]) => [`  ${each}  ${description}`]))
  process.exit(name === '' ? 0 : 2)
}
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...rest], { stdio: 'inherit' })
process.exit(status ?? 1)
