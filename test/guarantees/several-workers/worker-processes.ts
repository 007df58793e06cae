// Starts real `credsync start` processes that share one world. A test can kill them and read their logs.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type RunningProgram, runProgram } from '#test/support/run-program.ts'
import { until } from '#test/support/until.ts'
import { type World, type WorldOptions, worldEnv, worldFile } from '#test/support/world.ts'

interface LogLine {
  event: string
  instance?: string
  where?: string
  error?: string
  port?: number
}

export interface WorkerProcess {
  /** The instance id that appears in its attempts; null until the worker is running. */
  instance(): string | null
  /** How many times the event was logged, or was logged of this worker. */
  logged(event: string, of?: string | null): number
  /** The distinct pairs of `where` and error class in its `fault` events, such as `issue: TypeError`. */
  faults(): string[]
  /** Of its console; null until that is served. */
  consolePort(): number | null
  kill(signal: NodeJS.Signals): Promise<RunningProgram['ended'] extends Promise<infer Ended> ? Ended : never>
}

/** Starts processes that share the stores and the configuration of `world`. */
export async function openWorkerProcesses(world: World, options: WorldOptions & { file?: Record<string, unknown> }) {
  const config = join(world.folder, 'credsync.yaml')
  const file = { ...worldFile(world.sandbox, options), web: { port: 0 }, ...options.file }
  await writeFile(config, stringify(file))
  const env = {
    ...worldEnv(world),
    ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
  }
  const running = new Set<RunningProgram>()
  return {
    async start(...extraArgs: string[]): Promise<WorkerProcess> {
      const program = runProgram(['start', '--config', config, ...extraArgs], env)
      running.add(program)
      void program.ended.then(() => running.delete(program))
      const worker = followLog(program)
      const { child } = program
      const hasEnded = () => child.exitCode !== null || child.signalCode !== null
      await until('a worker to start', () => worker.instance() !== null || hasEnded() || 'not yet')
      if (worker.instance() === null) {
        const { code, signal, stderr } = await program.ended
        throw new Error(`The worker ended with ${code ?? signal} before it had started: ${stderr.slice(-500)}`)
      }
      return worker
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of running) program.kill('SIGKILL')
      await Promise.all([...running].map((program) => program.ended))
    },
  }
}

function followLog(program: RunningProgram): WorkerProcess {
  const events: LogLine[] = []
  let rest = ''
  program.child.stderr?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line))
  })
  return {
    instance: () => events.find(({ event }) => event === 'worker.started')?.instance ?? null,
    logged: (name, of) => events.filter(({ event, instance }) => event === name && (!of || instance === of)).length,
    faults: () => [
      ...new Set(events.flatMap(({ event, where, error }) => (event === 'fault' ? [`${where}: ${error}`] : []))),
    ],
    consolePort: () => events.find(({ event }) => event === 'console.listening')?.port ?? null,
    kill(signal) {
      program.kill(signal)
      return program.ended
    },
  }
}
