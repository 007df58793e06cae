// `npm run bench -- NAME …`: the benchmark of that name; without one, what there is.

import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { printTable } from './parts/table.ts'

const benches: Record<string, string> = {
  throughput: 'recipients a second and processor time for each, by batch size, against bare calls and a bare insert',
  limits: 'share of a limit and refusals, 1, 2 and 4 processes, beside other limiters',
  reconcile: 'report calls for 10,000 open rows, with none and with a million settled ones',
  latency: 'one row through an idle worker, and from issued to known',
  event: 'from an event to its answer and to its invitation, on an idle worker, beside a bare POST',
  start: 'time until ready, memory at rest and with a list',
  ledger: 'the costliest statements with five million settled rows, with their plans',
  intake: 'from a CSV to a published run, against a bare parse and a bare insert',
  'read-files': 'large CSV and XLSX files against the bare parsers',
  figures: 'what /metrics costs the database with many settled rows',
  'report-calls': 'report calls for 1,000 people over two days, on the simulated service',
  'report-pace': "the sandbox's report with many requests held",
  grace: 'doubles and held rows by the length of the grace',
}

const [name = '', ...rest] = process.argv.slice(2)
if (!(name in benches)) {
  console.log('npm run bench -- NAME [numbers]')
  printTable(Object.entries(benches).map(([each, what]) => [`  ${each}  ${what}`]))
  process.exit(name === '' ? 0 : 2)
}
const { status } = spawnSync(process.execPath, [join(import.meta.dirname, `${name}.ts`), ...rest], { stdio: 'inherit' })
process.exit(status ?? 1)
