// Runs the real program as a process, for tests that kill it.

import { type ChildProcess, spawn } from 'node:child_process'
import { resolve } from 'node:path'

// Uses the entry file that caches compiled code, which halves the start time.
const entryFile = resolve(import.meta.dirname, '../../jobs/credsync.mjs')

export interface RunningProgram {
  child: ChildProcess
  /** The exit code or the signal's name, with stdout and stderr. */
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }>
  kill(signal: NodeJS.Signals): void
}

export function runProgram(args: readonly string[], env: Record<string, string>): RunningProgram {
  const child = spawn(process.execPath, [entryFile, ...args], {
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
