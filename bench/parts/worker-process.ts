// Starts `credsync start` as a process of its own and measures what it uses. Linux only.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { SandboxStarted } from './sandbox-child.ts'

export interface ProcessUse {
  /** CPU so far, in ticks of 10 ms. */
  cpuMs: number
  /** What the process uses now. */
  megabytes: number
  threads: number
  files: number
}

export interface WorkerProcess {
  use(): ProcessUse
  stop(): Promise<void>
}

export interface WorkerProcessOptions {
  /** The folder of the configuration file and of the data directory. */
  folder: string
  /** Environment variables beside the service's. */
  env?: Readonly<Record<string, string>>
  /** Options of Node. */
  node?: readonly string[]
}

const program = resolve(import.meta.dirname, '../../jobs/credsync.mjs')

/** Writes the configuration: pipelines by name, each with what the sandbox's first course needs and what is given. */
export async function writeConfiguration(
  folder: string,
  { course }: SandboxStarted,
  given: Readonly<Record<string, object>>,
): Promise<void> {
  const { uuid, templateUuid: template, badgeTemplateUuid: badgeTemplate } = course
  const ours = { course: uuid, template, badgeTemplate, columns: { 'Primary Value': { value: 'Email' } } }
  const pipelines = Object.fromEntries(Object.entries(given).map(([name, more]) => [name, { ...ours, ...more }]))
  await mkdir(folder, { recursive: true })
  await writeFile(
    join(folder, 'credsync.yaml'),
    JSON.stringify({ service: { environment: 'development' }, pipelines, web: { port: 0 } }),
  )
}

/** Starts a worker and waits until it says that it is running. */
export async function startWorkerProcess(
  { url, key, secret }: SandboxStarted,
  { folder, env = {}, node = [] }: WorkerProcessOptions,
): Promise<WorkerProcess> {
  const worker = spawn(process.execPath, [...node, program, 'start', '--config', 'credsync.yaml'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? '',
      CREDSYNC_BASE_URL: url,
      CREDSYNC_KEY: key,
      CREDSYNC_SECRET: secret,
      CREDSYNC_DATA_DIR: join(folder, 'data'),
      CREDSYNC_LOG_LEVEL: 'error',
      ...env,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let printed = ''
  for await (const text of worker.stderr.setEncoding('utf8')) {
    printed += text
    if (printed.includes('is running')) break
  }
  if (!printed.includes('is running')) throw new Error(`The worker did not start:\n${printed}`)
  return {
    use: () => useOf(worker.pid),
    async stop() {
      const ended = once(worker, 'exit')
      worker.kill('SIGTERM')
      await ended
    },
  }
}

function useOf(pid = 0): ProcessUse {
  const ticks = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const numberOf = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1])
  return {
    cpuMs: (Number(ticks[11]) + Number(ticks[12])) * 10,
    megabytes: Math.round(numberOf('VmRSS') / 1_024),
    threads: numberOf('Threads'),
    files: readdirSync(`/proc/${pid}/fd`).length,
  }
}
