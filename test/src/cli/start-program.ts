// Runs the real program as a process, as a script or a terminal does.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'

export const entryFile = join(import.meta.dirname, '../../../jobs/credsync.mjs')

export interface Ended {
  /** Null if a signal ended the program. */
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  /** Settles when the output of the program is closed and completely read. */
  ended: Promise<Ended>
  /** Resolves once stderr or stdout contains `words`; rejects if the program ended without them. */
  waitForOutput(words: string | RegExp): Promise<void>
  /** Sends a signal; with `group` to the whole process group, as a terminal does. */
  signal(name: NodeJS.Signals, to?: 'group'): void
  /** Kills the program if it is still running. */
  stop(): Promise<void>
}

export interface StartOptions {
  cwd: string
  env: Record<string, string>
  /** The Node.js binary; by default that of this process. */
  node?: string
  script?: string
}

export function startProgram(args: readonly string[], options: StartOptions): Running {
  const { node = process.execPath, script = entryFile, cwd } = options
  // Only the given variables: the machine's own settings must not affect the tests.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...options.env }
  // `detached` makes a process group of its own, so that signals to the group do not reach the tests.
  const child = spawn(node, [script, ...args], { cwd, env, detached: true, stdio: 'pipe' })
  child.stdin.end()
  const output = collect(child)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...output.texts }))
  })
  const running = () => child.exitCode === null && child.signalCode === null
  return {
    ended,
    waitForOutput: (words) => output.waitForOutput(words, ended),
    signal(name, to) {
      if (to === 'group' && child.pid) process.kill(-child.pid, name)
      else child.kill(name)
    },
    async stop() {
      if (running() && child.pid) process.kill(-child.pid, 'SIGKILL')
      await ended
    },
  }
}

function collect(child: ChildProcessWithoutNullStreams) {
  const texts = { stdout: '', stderr: '' }
  const waiting = new Set<() => void>()
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (chunk: string) => {
      texts[name] += chunk
      for (const look of waiting) look()
    })
  function waitForOutput(words: string | RegExp, ended: Promise<Ended>): Promise<void> {
    const found = () =>
      [texts.stderr, texts.stdout].some((text) => (typeof words === 'string' ? text.includes(words) : words.test(text)))
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!found()) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
      ended.then(({ code, stderr }) => {
        if (!found()) reject(new Error(`The program ended (${code}) without printing ${words}:\n${stderr}`))
      }, reject)
    })
  }
  return { texts, waitForOutput }
}
