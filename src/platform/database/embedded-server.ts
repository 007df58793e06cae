// Starts the embedded server of a data directory or finds it running, and stops it.

import { open, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import type { Clock } from '#src/platform/time/clock.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { askServer } from './embedded-connection.ts'
import { EmbeddedPostgresError, ownDatabaseHint } from './embedded-error.ts'
import { isAlive, readPostmaster, releaseStaleLockFile } from './embedded-lock-file.ts'
import { fixedSettings } from './embedded-settings.ts'

export interface Server {
  pgData: string
  bin: string
  runAs: RunAs
  password: string
  clock: Clock
}

const reachTimeoutMs = 120_000
export const stopTimeoutMs = 60_000
const maxFailedStarts = 6
const retryDelayMs = 200

/**
 * Returns a connection to the server and its port; starts the server if it is not running. Any number of processes may
 * do this at the same time: PostgreSQL's own lock file lets only one start succeed, and the other processes find that
 * server at their next attempt.
 * @throws EmbeddedPostgresError after six failed starts, or if it is not ready within two minutes
 */
export async function reachServer(server: Server): Promise<{ port: number; client: pg.Client }> {
  const { pgData, clock } = server
  const until = clock.monotonicMs() + reachTimeoutMs
  let failed = 0
  let reason = 'it stayed busy starting or stopping'
  while (clock.monotonicMs() < until && failed < maxFailedStarts) {
    const holder = await readPostmaster(pgData)
    // The password is not sent to the port of a server that has ended: another program may listen there by now.
    if (holder?.port && (await isAlive(holder.pid))) {
      const answer = await askServer({ port: holder.port, password: server.password, pgData })
      if (answer.kind === 'ours') return { port: holder.port, client: answer.client }
      if (answer.kind === 'unusable') reason = answer.why
      if (answer.kind === 'busy') {
        await clock.sleep(retryDelayMs)
        continue
      }
    }
    const failure = await startServer(server)
    if (failure === null) continue
    failed += 1
    reason = failure
    if (!(await releaseStaleLockFile(pgData))) await clock.sleep(retryDelayMs * failed)
  }
  throw await serverFault(server, `the server could not be started or reached (${reason})`)
}

/**
 * Stops the server and cuts off its clients.
 * @throws EmbeddedPostgresError if it does not stop
 */
export async function stopServer(server: Server): Promise<void> {
  const { pgData, bin, runAs, clock } = server
  const holder = await readPostmaster(pgData)
  if (holder === null) return
  // pg_ctl's own waiting (-w) is not used, because it checks only the lock file: if another process restarts the server
  // within a tenth of a second, pg_ctl waits a minute for the new server to end, and then reports failure.
  await runCommand(join(bin, 'pg_ctl'), ['stop', '-D', pgData, '-m', 'fast', '-W'], runAs)
  const until = clock.monotonicMs() + stopTimeoutMs
  // Waits for the process to end, because the lock file disappears some milliseconds earlier.
  while (await isAlive(holder.pid)) {
    if (clock.monotonicMs() >= until) throw await serverFault(server, 'the server did not stop within a minute')
    await clock.sleep(50)
  }
}

/** Starts the server on a free port as a daemon; returns null if it is ready, otherwise the last line of its output. */
async function startServer({ pgData, bin, runAs }: Server): Promise<string | null> {
  await rotateLargeLog(pgData)
  // A new port each time: another program may take the chosen one before the server does.
  const options = fixedSettings(await findFreePort()).map((setting) => `-c ${setting}`)
  // pg_ctl starts the server in its own session, so neither Ctrl-C nor the end of this process reaches it.
  const args = ['start', '-D', pgData, '-w', '-t', '60', '-l', logPath(pgData), '-o', options.join(' ')]
  const ended = await runCommand(join(bin, 'pg_ctl'), args, runAs)
  return ended.code === 0 ? null : (lastLines(ended.output, 1)[0] ?? `pg_ctl ended with code ${ended.code}`)
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

async function serverFault({ pgData }: Server, what: string): Promise<EmbeddedPostgresError> {
  return new EmbeddedPostgresError({
    what,
    where: logPath(pgData),
    next: `read the server's log, or ${ownDatabaseHint}`,
    lastLines: await readLogTail(pgData),
  })
}

const maxLogBytes = 1_000_000
const tailBytes = 16_384

/**
 * Returns the path of the server's log, which is one file in its data directory. The previous log is next to it, with
 * `.1` appended to its name.
 */
export function logPath(pgData: string): string {
  return join(pgData, 'server.log')
}

/**
 * Rotates a large log before a start of the server; one previous log is kept. Rotating only then is enough, because the
 * log (starts, stops, lost connections) grows by only kilobytes a month. PostgreSQL's own log collector cannot limit
 * the total size.
 */
async function rotateLargeLog(pgData: string): Promise<void> {
  const size = (await stat(logPath(pgData)).catch(() => null))?.size ?? 0
  if (size > maxLogBytes) await rename(logPath(pgData), `${logPath(pgData)}.1`).catch(() => undefined)
}

/** Returns the last lines of the log, oldest first; none if it cannot be read. */
async function readLogTail(pgData: string): Promise<string[]> {
  const handle = await open(logPath(pgData), 'r').catch(() => null)
  if (handle === null) return []
  try {
    const { size } = await handle.stat()
    const start = Math.max(0, size - tailBytes)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tailBytes), 0, tailBytes, start)
    return lastLines(buffer.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
}
