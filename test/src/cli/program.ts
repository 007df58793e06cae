// The real program as a process of its own, as a script or a terminal runs it.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { join } from 'node:path'

export const door = join(import.meta.dirname, '../../../jobs/credsync.mjs')

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null
  stdout: string
  stderr: string
}

export interface Running {
  /** Once its output is closed, which is when all of it was read. */
  ended: Promise<Ended>
  /** Resolves once stderr or stdout holds `words`; rejects when the program ended without them. */
  said(words: string | RegExp): Promise<void>
  /** Sends a signal; `group` sends it to every process that it started too, as a terminal does. */
  signal(name: NodeJS.Signals, to?: 'group'): void
  /** Kills it if it still runs. */
  stop(): Promise<void>
}

export interface StartOptions {
  cwd: string
  env: Record<string, string>
  /** The runtime; this process's own by default. */
  node?: string
  script?: string
}

export function startProgram(args: readonly string[], options: StartOptions): Running {
  const { node = process.execPath, script = door, cwd } = options
  // Only what is given: settings of the machine that runs the tests must not get in.
  const env = { PATH: process.env.PATH ?? '', HOME: process.env.HOME ?? '', ...options.env }
  // A group of its own, so that a signal to all of it does not reach the tests.
  const child = spawn(node, [script, ...args], { cwd, env, detached: true, stdio: 'pipe' })
  child.stdin.end()
  const out = collect(child)
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, ...out.texts }))
  })
  const running = () => child.exitCode === null && child.signalCode === null
  return {
    ended,
    said: (words) => out.said(words, ended),
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
  function said(words: string | RegExp, ended: Promise<Ended>): Promise<void> {
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
        if (!found()) reject(new Error(`The program ended (${code}) without saying ${words}:\n${stderr}`))
      }, reject)
    })
  }
  return { texts, said }
}
