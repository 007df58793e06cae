// The PostgreSQL that needs no setting up: opens the one in the data directory, for as long as somebody uses it.

import { randomBytes } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import type { Clock } from '#src/time/clock.ts'
import { findPackagedBinaries, prepareBinaries } from './embedded-binaries.ts'
import { ensureCluster } from './embedded-cluster.ts'
import { askServer, endQuietly, ensureDatabase } from './embedded-connection.ts'
import { EmbeddedPostgresError, useYourOwn } from './embedded-error.ts'
import { holdServer, isLastOne } from './embedded-keeper.ts'
import { findPlace, writePointer } from './embedded-place.ts'
import { isAlive, readPostmaster } from './embedded-postmaster.ts'
import { reachServer, type Server, stopServer } from './embedded-server.ts'
import { databaseName, superuser } from './embedded-settings.ts'

export interface EmbeddedPostgresOptions {
  /** The database lies in `postgres` below it; made when missing. */
  dataDir: string
  clock: Clock
  /** Told, in a sentence, what a person may wonder about later: what was made, and where. */
  onNotice?: (text: string) => void
  /** Under root: where programs and data go that the server's account could not reach otherwise. */
  systemDir?: string
  random?: typeof randomBytes
}

export type Released = 'stopped' | 'left running for others'

export interface EmbeddedPostgres {
  /** postgres://user:password@127.0.0.1:port/credsync. Holds the password: not for logs. */
  readonly url: string
  /**
   * Stops the server unless others use it: other processes that opened it, or any other client connection, so end your
   * own first. Rejects with EmbeddedPostgresError when it does not stop. A second call answers as the first.
   */
  release(): Promise<Released>
}

/**
 * Opens the embedded database of `dataDir`, which is made and started as needed. The server outlives this process when
 * that is killed, and the next open finds it. One connection is kept until the release; it keeps no process alive.
 * Meant for one machine: two containers with one volume don't see each other's server. Rejects with
 * EmbeddedPostgresError, which says what to do.
 */
export async function openEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { clock, onNotice = () => {}, systemDir = '/var/lib/credsync', random = randomBytes } = options
  const dataDir = resolve(options.dataDir)
  const { pgData, runAs, pointer } = await findPlace(dataDir, systemDir, onNotice)
  const packaged = await findPackagedBinaries()
  const binaries = await prepareBinaries(packaged, runAs, runAs === null ? dataDir : systemDir, onNotice)
  const { password, created } = await ensureCluster({ pgData, runAs, binaries, clock, random })
  if (pointer !== null) await writePointer(pointer, pgData)
  if (created) onNotice(pointer === null ? `A database was made in ${pgData}.` : elsewhere(dirname(pgData), dataDir))
  const server: Server = { pgData, bin: binaries.bin, runAs, password, clock }
  const { port, keeper } = await enter(server)
  let released: Promise<Released> | undefined
  return {
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/${databaseName}`,
    release: () => {
      released ??= leave(server, port, keeper)
      return released
    },
  }
}

function elsewhere(home: string, dataDir: string): string {
  return `The database is in ${home}, because PostgreSQL does not run as root and its user cannot enter ${dataDir}. Back up ${home} together with ${dataDir}.`
}

/** Reaches the server and holds it; begins again when it is stopped by another process at the same moment. */
async function enter(server: Server): Promise<{ port: number; keeper: pg.Client }> {
  let cause: unknown
  for (let round = 0; round < 10; round++) {
    const { port, client } = await reachServer(server)
    try {
      await holdServer(client)
      await ensureDatabase(client)
      // An idle connection must not keep a process alive that forgot to release.
      holdProcess(client, false)
      return { port, keeper: client }
    } catch (error) {
      await endQuietly(client)
      cause = error
    }
  }
  throw new EmbeddedPostgresError({
    what: 'the server went away each time when it was about to be used',
    where: join(server.pgData, 'server.log'),
    next: `see what stops it, or ${useYourOwn}`,
    cause,
  })
}

async function leave(server: Server, port: number, keeper: pg.Client): Promise<Released> {
  holdProcess(keeper, true)
  const client = await stillOpen(server, port, keeper)
  if (client === null) {
    const holder = await readPostmaster(server.pgData)
    return holder !== null && (await isAlive(holder.pid)) ? 'left running for others' : 'stopped'
  }
  try {
    if (!(await isLastOne(client, server.clock))) return 'left running for others'
    await stopServer(server)
    return 'stopped'
  } finally {
    await endQuietly(client)
  }
}

/** Whether the connection keeps the process alive. pg has ref and unref, its types have not. */
function holdProcess(client: pg.Client, holds: boolean): void {
  const both = client as unknown as { ref(): void; unref(): void }
  if (holds) both.ref()
  else both.unref()
}

/** The keeper, or a new connection when the server has dropped it (it was restarted), or null without a server. */
async function stillOpen(server: Server, port: number, keeper: pg.Client): Promise<pg.Client | null> {
  const works = await keeper.query('select 1').then(
    () => true,
    () => false,
  )
  if (works) return keeper
  await endQuietly(keeper)
  const answer = await askServer({ port, password: server.password, pgData: server.pgData })
  return answer.kind === 'ours' ? answer.client : null
}
