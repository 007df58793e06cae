// Runs one of PostgreSQL's programs to completion, as the account that owns the database.

import { spawn } from 'node:child_process'

/** The account that the server runs as; null means the account of this process. */
export type RunAs = { uid: number; gid: number } | null

export interface CommandResult {
  /** The exit code; null if it was killed or could not be started. */
  code: number | null
  /** Its output, with both streams in order of arrival, or the reason why it could not be started. */
  output: string
}

/**
 * Runs `program` and waits for it to end. Never rejects: a program that cannot be started has code null. The
 * environment is built from scratch. Otherwise a server that outlives this process would keep our keys in its own
 * environment, and the caller's PGPORT, PGDATA or LD_LIBRARY_PATH would change its behavior.
 */
export function runCommand(program: string, args: string[], runAs: RunAs): Promise<CommandResult> {
  return new Promise((resolve) => {
    const chunks: string[] = []
    const child = spawn(program, args, {
      ...(runAs ?? {}),
      // The other account may not be allowed to enter the caller's directory.
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

/**
 * Checks that the account can enter `directory` by trying, because modes alone are not enough (parents, ACLs, mounts).
 */
export async function canEnter(directory: string, runAs: RunAs): Promise<boolean> {
  const tried = await runCommand('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], runAs)
  return tried.code === 0
}

/** The last `count` non-empty lines of a program's output. */
export function lastLines(output: string, count = 12): string[] {
  const lines = output.split('\n').map((line) => line.trimEnd())
  return lines.filter((line) => line !== '').slice(-count)
}
