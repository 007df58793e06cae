// Everything that `check` looks at, in the order of an outage: this machine, the database, the queue, the workers, the service, and each
// pipeline against its course, and the learning systems. Each look stands alone: a fault of one hides none of the others.

import { countRuns } from '#src/database/server-facts.ts'
import { bad, type Check, good, guarded } from './check.ts'
import { checkArchives } from './check-archives.ts'
import { checkDatabaseClock, checkServiceClock } from './check-clocks.ts'
import { checkDataDir } from './check-data-dir.ts'
import { checkDatabase } from './check-database.ts'
import { checkIdentities } from './check-identities.ts'
import { checkInboxes } from './check-inboxes.ts'
import { checkPipeline } from './check-pipeline.ts'
import { checkPort } from './check-port.ts'
import { checkQueueStore } from './check-redis.ts'
import { checkSystems } from './check-systems.ts'
import { checkWorkers } from './check-worker.ts'
import { errorCodeOf } from './error-code.ts'
import { openDatabasePart, openLedgerPart, openServicePart, type Parts, tryQueues } from './open-parts.ts'

export async function checkAll(parts: Parts): Promise<Check[]> {
  await using stack = new AsyncDisposableStack()
  const { settings, pipelines, inboxes, clock } = parts
  const redisUrl = settings.redisUrl
  const here = await Promise.all([
    guarded('data directory', () => checkDataDir(settings.dataDir)),
    checkStore(parts, stack),
    redisUrl ? guarded('Redis', () => checkQueueStore(redisUrl.reveal())) : [],
    guarded('inbox', () => checkInboxes({ inboxes, clock })),
  ])
  const checks = here.flat()
  checks.push(...(await guarded('archive', () => checkArchives(parts))))
  checks.push(...(await guarded('queue', () => checkQueues(parts, checks))))
  checks.push(...(await guarded('worker', () => checkWorkers(parts))))
  checks.push(...(await guarded('web', () => checkPort(parts))))
  checks.push(...(await checkService(parts, stack)))
  checks.push(...(await guarded('systems', () => checkSystems(parts))))
  checks.push(...(await guarded('identity', () => checkIdentities(parts))))
  checks.push(...(await guarded('pipelines', () => checkStranded(parts))))
  if (pipelines.names.length === 0)
    checks.push(bad('pipelines', 'there is none', 'Add one under pipelines; config/credsync.example.yaml shows how'))
  return checks
}

async function checkStore(parts: Parts, stack: AsyncDisposableStack): Promise<Check[]> {
  const opened = await guarded('database', async () => {
    await openDatabasePart(parts, stack)
    return []
  })
  if (opened.length > 0) return opened
  return [
    ...(await guarded('database', () => checkDatabase(parts))),
    ...(await guarded('clock', () => checkDatabaseClock(parts))),
    ...(await guarded('ledger', () => checkLedger(parts))),
  ]
}

async function checkLedger(parts: Parts): Promise<Check[]> {
  try {
    await openLedgerPart(parts)
    const runs = parts.database ? await countRuns(parts.database) : 0
    return [good('ledger', `${runs} runs in the ledger, its tables are up to date`)]
  } catch (fault) {
    // 42501: the database says that we may not. Which right it is stands in the check of the database.
    if (errorCodeOf(fault) !== '42501') throw fault
    const what = "the database does not let its account make or change the ledger's tables"
    return [
      bad('ledger', what, 'Give the account of DATABASE_URL the rights that the fault of the database names', {
        fault,
      }),
    ]
  }
}

/** Without Redis the clock's fault would be told twice: a queue in PostgreSQL does not open then. */
async function checkQueues(parts: Parts, before: readonly Check[]): Promise<Check[]> {
  if (!parts.ledger || before.some(({ name, ok }) => !ok && (name === 'clock' || name === 'Redis'))) return []
  await tryQueues(parts)
  return [good('queue', parts.settings.redisUrl ? 'kept in Redis' : 'kept in the same database')]
}

async function checkService(parts: Parts, stack: AsyncDisposableStack): Promise<Check[]> {
  const { settings, pipelines } = parts
  const host = () => new URL(settings.baseUrl).host
  const token = await guarded('token', async () => {
    await openServicePart(parts, stack)
    await parts.service?.issuer.checkToken()
    return [good('token', `${host()} accepts the keys (${settings.file.service.environment})`)]
  })
  const { service } = parts
  // An answer that refuses the keys tells the time as well; where there was none at all, the token's fault says so.
  const offset = service?.issuer.clockOffsetMs() ?? null
  const [accepted] = token
  const clocks = accepted?.ok || offset !== null ? [checkServiceClock(offset)] : []
  if (!service || !accepted?.ok) {
    // Without a token every further question to the service would only repeat this fault.
    if (accepted && pipelines.names.length > 0)
      accepted.notices = [`so nothing was asked about the courses of these pipelines: ${pipelines.names.join(', ')}`]
    return [...token, ...clocks]
  }
  const each: Check[] = []
  for (const name of pipelines.names) each.push(...(await checkPipeline({ ...parts, ...service }, name)))
  return [...token, ...clocks, ...each]
}

/** Rows of a pipeline that was renamed or removed wait for ever, and nothing else would say so. */
async function checkStranded({ ledger, pipelines }: Parts): Promise<Check[]> {
  const stranded = ((await ledger?.unsentByPipeline()) ?? []).filter(({ pipeline }) => !pipelines.find(pipeline))
  return stranded.map(({ pipeline, rows }) =>
    bad(
      'rows to send',
      `${rows} rows of it are still to be sent, and the configuration no longer has it`,
      'Bring it back under the same name',
      { pipeline },
    ),
  )
}
