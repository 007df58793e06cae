// Outages of the PostgreSQL that holds the ledger and, without Redis, the queues.

import { startRedis } from '#test/support/redis-server.ts'
import type { World } from '#test/support/world.ts'
import type { Outage } from './outage.ts'
import type { OwnPostgres } from './own-postgres.ts'

interface Kind {
  name: string
  lasts: boolean
  only?: 'postgres'
  begin(server: OwnPostgres, database: string): Promise<unknown>
  end?(server: OwnPostgres, database: string): Promise<unknown>
}

const kill = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND pid <> pg_backend_pid()`

const kinds: Kind[] = [
  {
    name: 'PostgreSQL: every connection ended, those that listen and those that hold locks too',
    lasts: false,
    begin: (server, database) => server.command(kill, [database]),
  },
  {
    name: 'PostgreSQL: the connections of the queues ended, the worker keeps its lock',
    lasts: false,
    only: 'postgres',
    begin: (server, database) => server.command(`${kill} AND application_name = 'credsync-queue'`, [database]),
  },
  {
    name: 'PostgreSQL: no connection to be had',
    lasts: true,
    begin: async (server, database) => {
      await server.command(`ALTER DATABASE ${database} CONNECTION LIMIT 0`)
      await server.command(kill, [database])
    },
    end: (server, database) => server.command(`ALTER DATABASE ${database} CONNECTION LIMIT -1`),
  },
  // A full disk is simulated by triggers that fail with its SQLSTATE: the program sees the same error at the same
  // statements.
  {
    name: 'PostgreSQL: disk full',
    lasts: true,
    begin: (server, database) => diskFull(server, database, ''),
    end: roomAgain,
  },
  {
    name: 'PostgreSQL: disk full between a call and the recording of its outcome',
    lasts: true,
    begin: (server, database) => diskFull(server, database, `WHEN (NEW.phase = 'ended')`),
    end: roomAgain,
  },
]

// One statement for each transaction: one that locked both tables would wait for the worker while the worker waits for it.
async function diskFull(server: OwnPostgres, database: string, only: string): Promise<void> {
  await server.commandIn(
    database,
    `CREATE FUNCTION credsync.disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100'; END $$`,
  )
  for (const table of only ? ['attempt'] : ['attempt', 'issuance'])
    await server.commandIn(
      database,
      `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON credsync.${table} FOR EACH ROW ${only} EXECUTE FUNCTION credsync.disk_full()`,
    )
}

async function roomAgain(server: OwnPostgres, database: string): Promise<void> {
  for (const table of ['attempt', 'issuance'])
    await server.commandIn(database, `DROP TRIGGER IF EXISTS disk_full ON credsync.${table}`)
  await server.commandIn(database, 'DROP FUNCTION credsync.disk_full()')
}

/** Outages that affect one database of the server only. `server` is called when the case runs. */
export function postgresOutages(server: () => OwnPostgres): readonly Outage[] {
  return kinds.flatMap(({ name, lasts, only, begin, end }) =>
    (['postgres', 'redis'] as const)
      .filter((backend) => !only || backend === only)
      .map((backend) => ({
        name: `${name} (queues in ${backend === 'redis' ? 'Redis' : 'PostgreSQL'})`,
        backend,
        lasts,
        prepare: async () => ({
          ...(await queueStore(backend)),
          begin: async (world: World) => void (await begin(server(), databaseOf(world))),
          end: async (world: World) => void (await end?.(server(), databaseOf(world))),
        }),
      })),
  )
}

/**
 * `pg_ctl stop -m immediate` and a start: affects every database of the server, so nothing else may run at the same
 * time.
 */
export function immediateStop(server: () => OwnPostgres, backend: Outage['backend']): Outage {
  return {
    name: `PostgreSQL: stopped abruptly and started again (queues in ${backend === 'redis' ? 'Redis' : 'PostgreSQL'})`,
    backend,
    lasts: true,
    prepare: async () => ({
      ...(await queueStore(backend)),
      begin: () => server().stopImmediately(),
      end: () => server().startAgain(),
    }),
  }
}

/** A Redis without faults, if the queues are not in PostgreSQL. */
async function queueStore(backend: Outage['backend']) {
  const redis = backend === 'redis' ? await startRedis() : null
  if (backend === 'redis' && !redis) throw new Error('There is no redis-server on the PATH, which this case needs.')
  return { redisUrl: redis?.url ?? null, [Symbol.asyncDispose]: async () => void (await redis?.stop()) }
}

function databaseOf(world: World): string {
  return new URL(world.databaseUrl).pathname.slice(1)
}
