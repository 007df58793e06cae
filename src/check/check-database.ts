// PostgreSQL: can it be used, is it new enough, may its account make what is needed, and is there room for our connections?

import { poolSize } from '#src/database/database.ts'
import { type ServerFacts, serverFacts } from '#src/database/server-facts.ts'
import { poolSizes } from '#src/queue/postgres-store.ts'
import { queueNames } from '#src/queue/queues.ts'
import { bad, type Check, good } from './check.ts'
import type { Parts } from './open-parts.ts'

const oldest = 150_000

const eachQueue = poolSizes.asking + poolSizes.working
/** What a worker opens at most; docs/deployment.md says the same, with one more for a moment. */
export const workerConnections = { alone: poolSize + queueNames.length * eachQueue, onRedis: poolSize }

export async function checkDatabase({ database, storageKind, settings }: Parts): Promise<Check[]> {
  if (!database) return []
  const { environment } = settings.file.service
  const onRedis = settings.redisUrl !== null
  const schemas = ['credsync', ...(onRedis ? [] : [`credsync_queue_${environment}`])]
  const facts = await serverFacts(database, schemas)
  const faults = judgeDatabase(facts, onRedis)
  return faults.length > 0
    ? faults
    : [good('database', `${storageKind}, version ${facts.version}, room for ${facts.freeConnections} connections`)]
}

/** Pure. */
export function judgeDatabase(facts: ServerFacts, onRedis: boolean): Check[] {
  const { version, versionNumber, account, database, readOnly, closed, freeConnections } = facts
  const faults: Check[] = []
  if (versionNumber < oldest)
    faults.push(bad('database', `PostgreSQL ${version} is too old`, 'Use version 15 or newer (DATABASE_URL)'))
  if (readOnly)
    faults.push(
      bad(
        'database',
        `the database ${database} takes no writing: it is a copy, or was set so`,
        'Name the primary in DATABASE_URL',
      ),
    )
  for (const { schema, missing } of closed)
    faults.push(
      missing
        ? bad(
            'database',
            `the account ${account} may not make the schema ${schema} in the database ${database}`,
            `Let its owner run: GRANT CREATE ON DATABASE "${database}" TO "${account}"`,
          )
        : bad(
            'database',
            `the account ${account} may not make tables in the schema ${schema}, which the next version may need`,
            `Let its owner run: GRANT ALL ON SCHEMA "${schema}" TO "${account}"`,
          ),
    )
  const wanted = onRedis ? workerConnections.onRedis : workerConnections.alone
  // Connections are opened as they are needed, so that a worker may do with less for a while; with fewer than these it will not.
  if (freeConnections < workerConnections.onRedis)
    faults.push(
      bad(
        'database',
        `only ${Math.max(0, freeConnections)} more connections can be opened, and a worker uses up to ${wanted}`,
        'Raise max_connections (or the limit of the account or database), or end what does not need its connections',
      ),
    )
  return faults
}
