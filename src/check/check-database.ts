// Checks that PostgreSQL can be used (the server is usable and new enough, our account may create what is needed, and
// enough connections are free), and whether anything may be sent. Reads the database and the high-water mark.

import { openLedgerMark } from '#src/app/open-core.ts'
import { howToResume } from '#src/ledger/attempts/sending-stopped-message.ts'
import { poolSize } from '#src/platform/database/database.ts'
import { type ServerFacts, serverFacts } from '#src/platform/database/server-facts.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { poolSizes } from '#src/platform/queue/postgres-store.ts'
import { checkDurableSettings, riskySettings } from './check-durability.ts'
import { type Check, faulty, passed } from './check-result.ts'
import type { Parts } from './open-parts.ts'

/** The versions that the tests run on; newer ones are expected to work, too. */
const tested = { oldest: 15, newest: 18 }

/**
 * The maximum number of connections that a worker keeps open. docs/deployment.md states one more, which is open
 * briefly.
 */
export const workerConnections = { withoutRedis: poolSize + poolSizes.adding + poolSizes.running, onRedis: poolSize }

export async function checkDatabase({ database, storageKind, settings }: Parts): Promise<Check[]> {
  if (!database) return []
  const { environment } = settings.file.service
  const usesRedis = settings.redisUrl !== null
  const schemas = ['credsync', ...(usesRedis ? [] : [`credsync_queue_${environment}`])]
  const facts = await serverFacts(database, schemas)
  const risks = checkDurableSettings(await riskySettings(database, settings.file))
  const faults = [...checkServerFacts(facts, usesRedis), ...(environment === 'production' ? risks : [])]
  if (faults.length > 0) return faults
  const notices = [...risks.map(({ what }) => what), ...untestedNotices(facts)]
  const found = `${storageKind}, version ${facts.version}, room for ${facts.freeConnections} connections`
  return [passed('database', found, { ...(notices.length > 0 && { notices }) })]
}

/** Pure. */
export function untestedNotices({ version, versionNumber }: Pick<ServerFacts, 'version' | 'versionNumber'>): string[] {
  if (versionNumber < (tested.newest + 1) * 10_000) return []
  return [`credsync has been tested with PostgreSQL ${tested.oldest} to ${tested.newest}, and not with ${version}`]
}

/** Pure. */
export function checkServerFacts(facts: ServerFacts, onRedis: boolean): Check[] {
  const { version, versionNumber, account, database, readOnly, closed, freeConnections } = facts
  const faults: Check[] = []
  if (versionNumber < tested.oldest * 10_000)
    faults.push(
      faulty('database', `PostgreSQL ${version} is too old`, `Use version ${tested.oldest} or newer (DATABASE_URL)`),
    )
  if (readOnly)
    faults.push(
      faulty(
        'database',
        `the database ${database} is read-only: it is a replica, or was configured as read-only`,
        'Set DATABASE_URL to the primary',
      ),
    )
  for (const { schema, lacks, owner } of closed) {
    const sentences: Record<typeof lacks, [may: string, remedy: string]> = {
      schema: [
        `create the schema ${schema} in the database ${database}`,
        `Let the owner of the database run: GRANT CREATE ON DATABASE "${database}" TO "${account}"`,
      ],
      tables: [
        `use the schema ${schema} and create tables in it`,
        `Let the owner of the schema run: GRANT ALL ON SCHEMA "${schema}" TO "${account}"`,
      ],
      ownership: [
        `change tables in the schema ${schema}, which belong to ${owner}`,
        'Make it their owner: “PostgreSQL” in docs/deployment.md shows how',
      ],
    }
    const [may, remedy] = sentences[lacks]
    faults.push(faulty('database', `the account ${account} may not ${may}`, remedy))
  }
  const maxUsed = onRedis ? workerConnections.onRedis : workerConnections.withoutRedis
  // Connections are opened on demand, so a worker may need fewer than `maxUsed` for some time, but always the ones of
  // its pool.
  if (freeConnections < workerConnections.onRedis)
    faults.push(
      faulty(
        'database',
        `only ${Math.max(0, freeConnections)} more connections can be opened, and a worker uses up to ${maxUsed}`,
        'Raise max_connections (or the limit of the account or database), or close connections that are not needed',
      ),
    )
  return faults
}

/**
 * Reports a recorded sending stop, or one that the high-water mark would cause. Stops nothing itself.
 * @throws MarkUnreadableError if no keeper of the mark is reachable
 */
export async function checkSending({ ledger, redis, settings }: Parts): Promise<Check[]> {
  if (!ledger) return []
  const [stop] = await ledger.sendingStops.stops()
  const mark = openLedgerMark(settings, ledger, redis, silentLog)
  const reason = stop ? stop.reason : await ledger.sendingStops.doubt(await mark.read())
  if (reason === null) return []
  return [faulty('sending', `nothing ${stop ? 'is' : 'will be'} sent: ${reason}`, howToResume)]
}
