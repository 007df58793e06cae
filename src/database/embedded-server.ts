// Gets the server of a data directory running, or finds it running, and stops it.

import { createServer } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import type { Clock } from '#src/time/clock.ts'
import { lastLines, type RunAs, runCommand } from './embedded-command.ts'
import { askServer } from './embedded-connection.ts'
import { EmbeddedPostgresError, useYourOwn } from './embedded-error.ts'
import { logPath, putLargeLogAside, readLogTail } from './embedded-log.ts'
import { isAlive, loosenReusedPid, readPostmaster } from './embedded-postmaster.ts'
import { firmSettings } from './embedded-settings.ts'

export interface Server {
  pgData: string
  bin: string
  runAs: RunAs
  password: string
  clock: Clock
}

const patienceMs = 120_000
export const stopMs = 60_000
const attempts = 6
const betweenMs = 200

/**
 * A connection to the running server, which is started when it does not run, and its port. Any number of processes may
 * do this at once: PostgreSQL's own lock file lets one start succeed, and the others find that server on their next
 * round. Rejects with EmbeddedPostgresError after six failed starts, or when it is not ready within two minutes.
 */
export async function reachServer(server: Server): Promise<{ port: number; client: pg.Client }> {
  const { pgData, clock } = server
  const until = clock.monotonicMs() + patienceMs
  let failed = 0
  let reason = 'it stayed busy starting or stopping'
  while (clock.monotonicMs() < until && failed < attempts) {
    const holder = await readPostmaster(pgData)
    // The password is not offered to a port whose server is dead: anybody may listen there by now.
    if (holder?.port && (await isAlive(holder.pid))) {
      const answer = await askServer({ port: holder.port, password: server.password, pgData })
      if (answer.kind === 'ours') return { port: holder.port, client: answer.client }
      if (answer.kind === 'no') reason = answer.why
      if (answer.kind === 'busy') {
        await clock.sleep(betweenMs)
        continue
      }
    }
    const complaint = await startServer(server)
    if (complaint === null) continue
    failed += 1
    reason = complaint
    if (!(await loosenReusedPid(pgData))) await clock.sleep(betweenMs * failed)
  }
  throw await serverFault(server, `the server could not be started or reached (${reason})`)
}

/** Stops the server, cutting off whoever is connected. Rejects with EmbeddedPostgresError when it does not stop. */
export async function stopServer(server: Server): Promise<void> {
  const { pgData, bin, runAs, clock } = server
  const holder = await readPostmaster(pgData)
  if (holder === null) return
  // Not pg_ctl's own waiting (-w): it looks for the lock file only, so when another process starts the server again
  // within a tenth of a second it waits for that one's end, a minute long, and then calls the stop a failure.
  await runCommand(join(bin, 'pg_ctl'), ['stop', '-D', pgData, '-m', 'fast', '-W'], runAs)
  const until = clock.monotonicMs() + stopMs
  // Its end counts, not the lock file's, which goes some milliseconds earlier.
  while (await isAlive(holder.pid)) {
    if (clock.monotonicMs() >= until) throw await serverFault(server, 'the server did not stop within a minute')
    await clock.sleep(50)
  }
}

/** Starts the server on a free port as a daemon; null when it is ready, else the last line of the complaint. */
async function startServer({ pgData, bin, runAs }: Server): Promise<string | null> {
  await putLargeLogAside(pgData)
  // A new port each time: the one chosen may be taken by somebody else before the server gets there.
  const options = firmSettings(await findFreePort()).map((setting) => `-c ${setting}`)
  // pg_ctl gives the server a session of its own, so neither Ctrl-C nor our death reaches it.
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
    next: `read the server's log, or ${useYourOwn}`,
    lastLines: await readLogTail(pgData),
  })
}
