// Opens the embedded PostgreSQL of a data directory, which needs no setup, and keeps its server running while any
// process uses it. The last of these processes stops the server.

import { randomBytes } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import type { Clock } from '#src/platform/time/clock.ts'
import { findPackagedBinaries, prepareBinaries } from './embedded-binaries.ts'
import { ensureCluster } from './embedded-cluster.ts'
import { askServer, countOthers, endQuietly, ensureDatabase } from './embedded-connection.ts'
import { EmbeddedPostgresError, ownDatabaseHint } from './embedded-error.ts'
import { findLocation, writePointer } from './embedded-location.ts'
import { isAlive, readPostmaster } from './embedded-lock-file.ts'
import { type Machine, thisMachine } from './embedded-machine.ts'
import { reachServer, type Server, stopServer } from './embedded-server.ts'
import { databaseName, superuser } from './embedded-settings.ts'

export interface EmbeddedPostgresOptions {
  /** The database is in `postgres` below it; created if missing. */
  dataDir: string
  clock: Clock
  /** Called with a message about anything an operator may want to know later, such as what was created and where. */
  onNotice?: (text: string) => void
  /** Under root, the directory for programs and data that the server's account cannot access otherwise. */
  systemDir?: string
  random?: typeof randomBytes
  machine?: Machine
}

export type ReleaseResult = 'stopped' | 'left running for others'

export interface EmbeddedPostgres {
  /** postgres://user:password@127.0.0.1:port/credsync. Contains the password, so it must not be logged. */
  readonly url: string
  /**
   * Stops the server unless it is still in use, by another process that opened it or by any client connection, so end
   * your own connections first. A second call returns the result of the first.
   * @throws EmbeddedPostgresError if the server does not stop
   */
  release(): Promise<ReleaseResult>
}

/**
 * Opens the embedded database of `dataDir`, creating and starting it as needed. If this process is killed, the server
 * keeps running and the next call finds it. One connection stays open until the release, and does not keep the process
 * alive. Meant for one machine: two containers that share a volume cannot see each other's server.
 * @throws EmbeddedPostgresError, whose message includes what to do next
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const {
    clock,
    onNotice = () => {},
    systemDir = '/var/lib/credsync',
    random = randomBytes,
    machine = thisMachine,
  } = options
  const dataDir = resolve(options.dataDir)
  // Checked first, so that nothing is written on a machine that cannot run the database.
  const packaged = await findPackagedBinaries(machine)
  const { pgData, runAs, pointer } = await findLocation(dataDir, systemDir, onNotice)
  const binaries = await prepareBinaries(packaged, runAs, runAs === null ? dataDir : systemDir, onNotice, machine)
  const { password, created } = await ensureCluster({ pgData, runAs, binaries, clock, random })
  if (pointer !== null) await writePointer(pointer, pgData)
  if (created)
    onNotice(pointer === null ? `A database was created in ${pgData}.` : elsewhereNotice(dirname(pgData), dataDir))
  const server: Server = { pgData, bin: binaries.bin, runAs, password, clock }
  const { port, keeper } = await connectAndHold(server)
  let released: Promise<ReleaseResult> | undefined
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`,
    release: () => {
      released ??= releaseServer(server, port, keeper)
      return released
    },
  }
}

function elsewhereNotice(home: string, dataDir: string): string {
  return `The database is in ${home}, because PostgreSQL does not run as root and its user cannot enter ${dataDir}. Back up ${home} together with ${dataDir}.`
}

/** Connects to the server and takes the lock; starts over if another process stops it at the same moment. */
async function connectAndHold(server: Server): Promise<{ port: number; keeper: pg.Client }> {
  let cause: unknown
  for (let round = 0; round < 10; round++) {
    const { port, client } = await reachServer(server)
    try {
      await holdServer(client)
      await ensureDatabase(client)
      // If the caller never releases, this idle connection must not keep the process alive.
      keepProcessAlive(client, false)
      return { port, keeper: client }
    } catch (error) {
      await endQuietly(client)
      cause = error
    }
  }
  throw new EmbeddedPostgresError({
    what: 'the server stopped each time it was about to be used',
    where: join(server.pgData, 'server.log'),
    next: `find out what stops it, or ${ownDatabaseHint}`,
    cause,
  })
}

async function releaseServer(server: Server, port: number, keeper: pg.Client): Promise<ReleaseResult> {
  keepProcessAlive(keeper, true)
  const client = await workingConnection(server, port, keeper)
  if (client === null) {
    const holder = await readPostmaster(server.pgData)
    return holder !== null && (await isAlive(holder.pid)) ? 'left running for others' : 'stopped'
  }
  try {
    if (!(await isLastClient(client, server.clock))) return 'left running for others'
    await stopServer(server)
    return 'stopped'
  } finally {
    await endQuietly(client)
  }
}

/** Sets whether the connection keeps the process alive. pg has ref and unref, but its types lack them. */
function keepProcessAlive(client: pg.Client, isKept: boolean): void {
  const referenced = client as unknown as { ref(): void; unref(): void }
  if (isKept) referenced.ref()
  else referenced.unref()
}

/**
 * Returns the open connection, a new one if the server dropped it (after a restart), or null if no server is running.
 */
async function workingConnection(server: Server, port: number, keeper: pg.Client): Promise<pg.Client | null> {
  const isConnected = await keeper.query('select 1').then(
    () => true,
    () => false,
  )
  if (isConnected) return keeper
  await endQuietly(keeper)
  const answer = await askServer({ port, password: server.password, pgData: server.pgData })
  return answer.kind === 'ours' ? answer.client : null
}

/**
 * The advisory lock that each process holds in shared mode while it uses the server; the last process stops the server.
 * Counting connections alone would leave a gap: between the count and the stop, another process may open the server and
 * be about to use it. So opening is complete only once the shared lock is held, and a process stops the server only
 * while it holds the exclusive lock. A process that opens the server in between waits for the lock, loses its
 * connection when the server stops, and starts the server again. Locks end with their connections, so a killed process
 * holds none. The lock is in the database `postgres`, where the application takes no locks, so the two cannot collide.
 */
const lock = '(1668441203, 1)'
const closingMs = 1_000
const pollMs = 50

/**
 * Takes the shared lock; waits while another process decides whether to stop the server. Rejects if the server was
 * stopped.
 */
export async function holdServer(client: pg.Client): Promise<void> {
  await client.query(`select pg_advisory_lock_shared${lock}`)
}

/**
 * Releases the shared lock. Returns true if no other process needs the server; the connection then holds the exclusive
 * lock, so the caller must stop the server before it ends the connection.
 */
export async function isLastClient(client: pg.Client, clock: Clock): Promise<boolean> {
  await client.query(`select pg_advisory_unlock_shared${lock}`)
  const taken = await client.query<{ alone: boolean }>(`select pg_try_advisory_lock${lock} as alone`)
  if (taken.rows[0]?.alone !== true) return false
  // A connection that was just closed is still listed for some milliseconds.
  const until = clock.monotonicMs() + closingMs
  while ((await countOthers(client)) > 0) {
    if (clock.monotonicMs() >= until) return false
    await clock.sleep(pollMs)
  }
  return true
}
