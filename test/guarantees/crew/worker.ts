// One real `credsync start` beside others, as a process that a test may kill, and what its log told.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { stringify } from 'yaml'
import { type RunningProgram, runProgram } from '#test/support/program.ts'
import { until } from '#test/support/until.ts'
import { type World, type WorldOptions, worldEnv, worldFile } from '#test/support/world.ts'

interface Logged {
  event: string
  instance?: string
  where?: string
  error?: string
}

export interface CrewWorker {
  /** Of its attempts in the ledger; null until it works. */
  instance(): string | null
  /** How often the event was logged. */
  logged(event: string): number
  /** `where` and the error's class, each once. */
  faults(): string[]
  kill(signal: NodeJS.Signals): Promise<RunningProgram['ended'] extends Promise<infer Ended> ? Ended : never>
}

/** Starts processes that share the stores and the configuration of `world`. */
export async function recruiter(world: World, options: WorldOptions & { file?: Record<string, unknown> }) {
  const config = join(world.folder, 'credsync.yaml')
  const file = { ...worldFile(world.sandbox, options), web: { port: 0 }, ...options.file }
  await writeFile(config, stringify(file))
  const env = {
    ...worldEnv(world),
    ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
  }
  const running = new Set<RunningProgram>()
  return {
    async start(...more: string[]): Promise<CrewWorker> {
      const program = runProgram(['start', '--config', config, ...more], env)
      running.add(program)
      void program.ended.then(() => running.delete(program))
      const worker = watch(program)
      const begun = () => worker.instance() !== null || program.child.exitCode === null || 'it ended'
      await until('a worker to begin', () => (begun() === true && worker.instance() !== null) || 'not yet')
      return worker
    },
    [Symbol.asyncDispose]: async () => {
      for (const program of running) program.kill('SIGKILL')
      await Promise.all([...running].map((program) => program.ended))
    },
  }
}

function watch(program: RunningProgram): CrewWorker {
  const events: Logged[] = []
  let rest = ''
  program.child.stderr?.on('data', (chunk: Buffer) => {
    const lines = `${rest}${chunk}`.split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line))
  })
  return {
    instance: () => events.find(({ event }) => event === 'worker.started')?.instance ?? null,
    logged: (name) => events.filter(({ event }) => event === name).length,
    faults: () => [
      ...new Set(events.flatMap(({ event, where, error }) => (event === 'fault' ? [`${where}: ${error}`] : []))),
    ],
    kill(signal) {
      program.kill(signal)
      return program.ended
    },
  }
}
