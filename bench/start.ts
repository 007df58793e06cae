// Measures how long `credsync start` takes until /health/ready, with a new and an existing embedded database and with
// an external one, compared with Node running an empty program; and the worker's memory when idle and with a list.
// Run by hand: node bench/start.ts [rows] [program]

import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openEmbeddedPostgres } from '#src/platform/database/embedded-postgres.ts'
import { systemClock as clock } from '#src/platform/time/clock.ts'
import { newFolder } from './parts/new-folder.ts'
import { writeList } from './parts/people.ts'
import { startSandbox } from './parts/sandbox.ts'
import { printTable, whole } from './parts/table.ts'

const rows = Number(process.argv[2] ?? 20_000)
const port = 18_437
const program = resolve(import.meta.dirname, '..', process.argv[3] ?? 'jobs/credsync.mjs')
const folder = await newFolder('start')
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

const bareStartedAt = clock.monotonicMs()
execFileSync(process.execPath, ['-e', ''])
const bareMs = clock.monotonicMs() - bareStartedAt
const lines = [['program', 'ready after', 'ratio to an empty Node']]
const addLine = (name: string, ms: number) => lines.push([name, `${Math.round(ms)} ms`, (ms / bareMs).toFixed(1)])
addLine('an empty Node', bareMs)

const dataDir = join(folder, 'data')
const first = await startProgram({ CREDSYNC_DATA_DIR: dataDir })
addLine('new embedded database', first.ms)
await stop(first.child)
const second = await startProgram({ CREDSYNC_DATA_DIR: dataDir })
addLine('existing embedded database', second.ms)
await stop(second.child)

const postgres = await openEmbeddedPostgres({ dataDir: join(folder, 'own'), clock })
const externalEnv = { CREDSYNC_DATA_DIR: dataDir, DATABASE_URL: postgres.url }
await stop((await startProgram(externalEnv)).child)
const { child, ms } = await startProgram(externalEnv)
addLine('external PostgreSQL', ms)
printTable(lines)

await clock.sleep(30_000)
const idleMemory = memoryOf(child)
const list = join(folder, 'people.csv')
writeList(list, rows)
execFileSync(process.execPath, [program, 'issue', list, '--pipeline', 'bench', '--config', 'credsync.yaml'], {
  cwd: folder,
  env: { ...env, ...externalEnv },
  stdio: 'ignore',
})
const loadedMemory = memoryOf(child)
console.log(
  `memory: ${idleMemory.now} MB after half a minute idle, ${loadedMemory.peak} MB at most with ${whole(rows)} rows, ${loadedMemory.now} MB right after`,
)
await stop(child)
await postgres.release()
sandbox.stop()
await rm(folder, { recursive: true, force: true })

async function startProgram(more: Record<string, string>): Promise<{ child: ChildProcess; ms: number }> {
  const startedAt = clock.monotonicMs()
  const child = spawn(process.execPath, [program, 'start', '--config', 'credsync.yaml'], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: 'ignore',
  })
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`credsync start ended with ${child.exitCode}.`)
    await clock.sleep(10)
  }
  return { child, ms: clock.monotonicMs() - startedAt }
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

/**
 * Returns the resident memory in megabytes, now and at its peak. Also works if the program runs in a child of the
 * started process. Linux only.
 */
function memoryOf({ pid }: ChildProcess): { now: number; peak: number } {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  const status = readFileSync(`/proc/${children[0] ?? pid}/status`, 'utf8')
  const megabytesOf = (name: string) => Math.round(Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1_024)
  return { now: megabytesOf('VmRSS'), peak: megabytesOf('VmHWM') }
}
