// How long `credsync start` takes until it is ready (/health/ready), with the embedded database, made anew and found, and with a database of
// one's own; beside Node starting an empty program. And the worker's memory at rest and with a list. Run by hand: node bench/start.ts [rows]

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openEmbeddedPostgres } from '#src/database/embedded-postgres.ts'
import { systemClock as clock } from '#src/time/clock.ts'
import { writeList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'

const rows = Number(process.argv[2] ?? 20_000)
const port = 18_437
const program = resolve(import.meta.dirname, '../jobs/credsync.mjs')
const folder = await mkdtemp(join(tmpdir(), 'credsync-bench-start-'))
const sandbox = await startSandbox()
const { uuid: course, templateUuid: template, badgeTemplateUuid: badgeTemplate } = sandbox.course
const pipelines = { bench: { course, template, badgeTemplate, columns: { 'Primary Value': { value: 'Email' } } } }
await writeFile(
  join(folder, 'credsync.yaml'),
  JSON.stringify({ service: { environment: 'development' }, pipelines, reconcile: { every: '1s' }, web: { port } }),
)
const env = {
  PATH: process.env.PATH ?? '',
  CREDSYNC_BASE_URL: sandbox.url,
  CREDSYNC_KEY: sandbox.key,
  CREDSYNC_SECRET: sandbox.secret,
}

const bareMs = clock.monotonicMs()
execFileSync(process.execPath, ['-e', ''])
const floor = clock.monotonicMs() - bareMs
const lines = [['what', 'ready after', 'times an empty Node']]
const show = (what: string, ms: number) => lines.push([what, `${Math.round(ms)} ms`, (ms / floor).toFixed(1)])
show('an empty Node', floor)

const dataDir = join(folder, 'data')
const first = await startProgram({ CREDSYNC_DATA_DIR: dataDir })
show('embedded database, made anew', first.ms)
await stop(first.child)
const again = await startProgram({ CREDSYNC_DATA_DIR: dataDir })
show('embedded database, there already', again.ms)
await stop(again.child)

const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'own'), clock })
const own = { CREDSYNC_DATA_DIR: dataDir, DATABASE_URL: postgres.url }
await stop((await startProgram(own)).child)
const { child, ms } = await startProgram(own)
show('your PostgreSQL', ms)
printTable(lines)

await clock.sleep(30_000)
const rest = memoryOf(child)
const list = join(folder, 'people.csv')
writeList(list, rows)
execFileSync(process.execPath, [program, 'issue', list, '--pipeline', 'bench', '--config', 'credsync.yaml'], {
  cwd: folder,
  env: { ...env, ...own },
  stdio: 'ignore',
})
const load = memoryOf(child)
console.log(
  `memory: ${rest.now} MB after half a minute of rest, ${load.most} MB at most with ${whole(rows)} rows, ${load.now} MB right after`,
)
await stop(child)
await postgres.release()
sandbox.stop()
await rm(folder, { recursive: true, force: true })

async function startProgram(more: Record<string, string>): Promise<{ child: ChildProcess; ms: number }> {
  const began = clock.monotonicMs()
  const child = spawn(process.execPath, [program, 'start', '--config', 'credsync.yaml'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: 'ignore',
  })
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`credsync start ended with ${child.exitCode}.`)
    await clock.sleep(10)
  }
  return { child, ms: clock.monotonicMs() - began }
}

async function isReady(): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/health/ready`)).ok
  } catch {
    return false
  }
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Megabytes resident, now and at most so far. The program may run in a child of the one started. Linux only. */
function memoryOf({ pid }: ChildProcess): { now: number; most: number } {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const status = readFileSync(`/proc/${children[0] ?? pid}/status`, 'utf8')
  const of = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return { now: of('VmRSS'), most: of('VmHWM') }
}
