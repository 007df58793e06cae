// Starts the worker (worker-process.ts) as a child process and reports how it ended.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { WorkerInstructions } from './worker-process.ts'

const program = resolve(import.meta.dirname, 'worker-process.ts')
const preload = resolve(import.meta.dirname, 'without-workbooks.ts')

export interface Child {
  /** Settles once the worker is running. */
  started: Promise<void>
  /** Settles at the end of the process: the signal that ended it or its exit code, and its last log lines. */
  ended: Promise<{ signal: NodeJS.Signals | null; code: number | null; output: string }>
  /** Sends SIGTERM, as an operator would. */
  stop(): void
  /** Kills the process when a case is abandoned. */
  kill(): void
}

export function startChild(instructions: WorkerInstructions | null, compileCache: string): Child {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['--import', preload, program], {
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE: compileCache,
      ...(instructions && { CRASH_ORDER: JSON.stringify(instructions) }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  const started = Promise.withResolvers<void>()
  child.stderr.on('data', (chunk: Buffer) => {
    output = `${output}${chunk}`.slice(-4_000)
    if (output.includes('worker.started')) started.resolve()
  })
  return {
    started: started.promise,
    ended: new Promise((done) => child.on('close', (code, signal) => done({ code, signal, output }))),
    stop: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  }
}
