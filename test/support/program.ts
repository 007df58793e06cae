// The real program as a process of its own, for tests that kill it.

import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

// Through the door, which keeps compiled code: a start costs half as much.
const door = resolve(import.meta.dirname, '../../jobs/credsync.mjs')

export interface RunningProgram {
  child: ChildProcess
  /** Exit code, or the signal's name; stdout and stderr as they came. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
  kill(signal: NodeJS.Signals): void
}

export function runProgram(args: readonly string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [door, ...args], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk
  })
  return {
    child,
    ended: new Promise((done) => child.on('close', (code, signal) => done({ code, signal, stdout, stderr }))),
    kill: (signal) => void child.kill(signal),
  }
}
