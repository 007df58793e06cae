// Starts the worker as a child process and tells how it ended.

import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Order } from './worker-process.ts'

const program = resolve(import.meta.dirname, 'worker-process.ts')
const preload = resolve(import.meta.dirname, 'without-workbooks.ts')

export interface Child {
  /** Settles once it works. */
  started: Promise<void>
  /** The signal that ended it, or null when it ended by itself; and the last of what it logged. */
  ended: Promise<{ signal: NodeJS.Signals | null; code: number | null; said: string }>
  /** Asks it to stop, as an operator does. */
  stop(): void
  /** For a case that is given up. */
  kill(): void
}

export function startChild(order: Order | null, compileCache: string): Child {
  const { PATH, HOME } = process.env
  const child = spawn(process.execPath, ['--import', preload, program], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...(order && { CRASH_ORDER: JSON.stringify(order) }) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  const started = Promise.withResolvers<void>()
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4_000)
    if (said.includes('worker.started')) started.resolve()
  })
  return {
    started: started.promise,
    ended: new Promise((done) => child.on('close', (code, signal) => done({ code, signal, said }))),
    stop: () => void child.kill('SIGTERM'),
    kill: () => void child.kill('SIGKILL'),
  }
}
