// The server's own lock file, postmaster.pid: who holds the data directory, and whether that can be true.

import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from './embedded-error.ts'

/** Above the largest process id that Linux gives (2^22), so certainly of no process. */
const nobodysPid = 2_147_483_646

export interface Postmaster {
  pid: number
  /** Null while the server has only begun to write the file. */
  port: number | null
}

/** What the text of a postmaster.pid says, or null. Its lines: pid, directory, start time, port, and more. */
export function parsePostmaster(text: string): Postmaster | null {
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  const port = Number.parseInt(lines[3] ?? '', 10)
  if (!(pid > 0)) return null
  return { pid, port: port > 0 ? port : null }
}

/** The server that holds the data directory by its lock file, whether it lives or not; null without one. */
export async function readPostmaster(pgData: string): Promise<Postmaster | null> {
  const text = await readFile(pidFile(pgData), 'utf8').catch(() => null)
  return text === null ? null : parsePostmaster(text)
}

/**
 * Whether a process of this id runs, ours or another's. One that has ended and that nobody has collected does not: in
 * a container whose first process is not an init, a dead server stays listed so for ever.
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

/** A process's program and state letter as Linux tells them; null when there is none, and on other systems. */
async function readState(pid: number): Promise<{ program: string; letter: string } | null> {
  // "4711 (postgres) S 1 …"; the name may hold brackets and spaces itself.
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const match = /^\d+ \((.*)\) (\w)/s.exec(text)
  return match ? { program: match[1] ?? '', letter: match[2] ?? '' } : null
}

/**
 * Loosens a lock file whose process has ended though its id is still listed, or is another program's by now. Both are
 * usual in containers: nobody collects the dead, and after a restart the ids begin at 1 again. PostgreSQL sees a process
 * of its own user and refuses to start for good. Answers whether it was loosened.
 *
 * The file is not removed: its other lines let the server find backends that outlived their postmaster. It gets an id
 * of no process instead, and the server then judges it stale by its own rules. Only where /proc proves the case.
 */
export async function loosenReusedPid(pgData: string): Promise<boolean> {
  const text = await readFile(pidFile(pgData), 'utf8').catch(() => '')
  const pid = parsePostmaster(text)?.pid
  if (pid === undefined) return false
  const state = await readState(pid)
  if (state === null || (state.program === 'postgres' && (await isAlive(pid)))) return false
  // Read again at the last moment: another opener may have got a server running in between.
  if ((await readFile(pidFile(pgData), 'utf8').catch(() => '')) !== text) return false
  await writeFile(pidFile(pgData), text.replace(/^\d+/, String(nobodysPid)), { flag: 'r+' })
  return true
}

function pidFile(pgData: string): string {
  return join(pgData, 'postmaster.pid')
}
