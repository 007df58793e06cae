// Reads the server's lock file, postmaster.pid, to find the process that holds the data directory, and repairs the file
// if that process has ended but its pid has been reused.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './embedded-error.ts'

/** Above the largest pid on Linux (2^22), so no process has it. */
const unusedPid = 2_147_483_646

export interface Postmaster {
  pid: number
  /** Null while the server is still writing the file. */
  port: number | null
}

/**
 * Parses the text of a postmaster.pid; null if it is invalid. Its lines: pid, directory, start time, port, and more.
 */
export function parsePostmaster(text: string): Postmaster | null {
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  const port = Number.parseInt(lines[3] ?? '', 10)
  if (!(pid > 0)) return null
  return { pid, port: port > 0 ? port : null }
}

/** Returns the server that holds the data directory according to its lock file, alive or not; null without a file. */
export async function readPostmaster(pgData: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(pgData), 'utf8').catch(() => null)
  return text === null ? null : parsePostmaster(text)
}

/**
 * Returns whether a process with this pid is running, under any account. A zombie does not count: in a container whose
 * first process is not an init, a server that has ended stays listed forever.
 */
export async function isAlive(pid: number): Promise<boolean> {
  const state = await readState(pid)
  if (state !== null) return state.letter !== 'Z' && state.letter !== 'X'
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return hasCode(error, 'EPERM')
  }
}

/** Returns a process's program and state letter as Linux reports them; null if there is no process or no /proc. */
async function readState(pid: number): Promise<{ program: string; letter: string } | null> {
  // "4711 (postgres) S 1 …"; the name itself may contain parentheses and spaces.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const match = /^\d+ \((.*)\) (\w)/s.exec(text)
  return match ? { program: match[1] ?? '', letter: match[2] ?? '' } : null
}

/**
 * Releases a lock file whose process has ended, although its pid is still listed (a zombie) or has been reused by
 * another program. Both are common in containers: nothing reaps zombies, and after a restart pids start from 1 again.
 * PostgreSQL then finds a live process owned by its own user and refuses to start. The file is not removed, because its
 * other lines let the server find backends that outlived their postmaster. Instead, a pid that no process has is
 * written into it, so that the server treats the file as stale by its own rules. This is done only where /proc shows
 * that the process has ended.
 * @returns whether the lock file was released
 */
export async function releaseStaleLockFile(pgData: string): Promise<boolean> {
  const text = await readFile(pidFile(pgData), 'utf8').catch(() => '')
  const pid = parsePostmaster(text)?.pid
  if (pid === undefined) return false
  const state = await readState(pid)
  if (state === null || (state.program === 'postgres' && (await isAlive(pid)))) return false
  // Read again at the last moment: another process may have started a server in the meantime.
  if ((await readFile(pidFile(pgData), 'utf8').catch(() => '')) !== text) return false
  await writeFile(pidFile(pgData), text.replace(/^\d+/, String(unusedPid)), { flag: 'r+' })
  return true
}

function pidFile(pgData: string): string {
  return join(pgData, 'postmaster.pid')
}
