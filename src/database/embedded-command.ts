// Runs one of PostgreSQL's programs to its end, as the account that the database belongs to.

import { spawn } from 'node:child_process'

/** The account that the server runs as; null is the account of this process. */
export type RunAs = { uid: number; gid: number } | null

export interface CommandResult {
  /** The exit code; null when it was killed or could not be started. */
  code: number | null
  /** What it wrote, both streams, in the order in which it came; or why it could not be started. */
  output: string
}

/**
 * Runs `program` and waits for its end. Never rejects: a program that can't be started has code null.
 *
 * The environment is built from nothing. A server that outlives this process would otherwise keep our keys in its own
 * environment for good, and PGPORT, PGDATA or LD_LIBRARY_PATH of the caller would bend what it does.
 */
export function runCommand(program: string, args: string[], runAs: RunAs): Promise<CommandResult> {
  return new Promise((resolve) => {
    const chunks: string[] = []
    const child = spawn(program, args, {
      ...(runAs ?? {}),
      // The caller's directory may be one that the other account can't enter.
      cwd: '/',
      env: { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => chunks.push(chunk))
    child.on('error', (error) => resolve({ code: null, output: error.message }))
    child.on('close', (code) => resolve({ code, output: chunks.join('') }))
  })
}

/** Whether that account can enter `directory`: it is tried, since modes alone don't tell (parents, ACLs, mounts). */
export async function canEnter(directory: string, runAs: RunAs): Promise<boolean> {
  const tried = await runCommand('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], runAs)
  return tried.code === 0
}

/** The last `count` lines of a program's output that hold anything. */
export function lastLines(output: string, count = 12): string[] {
  const lines = output.split('\n').map((line) => line.trimEnd())
  return lines.filter((line) => line !== '').slice(-count)
}
