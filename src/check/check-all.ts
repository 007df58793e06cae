// Runs every check, in the order of likely causes: this machine, the database, the queue, the workers, the service,
// each pipeline against its course, the learning systems. The checks are independent: a fault found by one does not
// hide those of the others. Opens the database (and creates missing tables), connects to Redis, and calls the service
// and the learning systems; issues nothing.

import { checkArchives } from '#src/extensions/certificates/check/check-archives.ts'
import { checkConsole } from '#src/extensions/console/check/check-console.ts'
import { checkSystems } from '#src/extensions/lms/check/check-systems.ts'
import { checkNotify } from '#src/extensions/notices/check/check-notify.ts'
import { checkExpiry } from '#src/extensions/privacy/check/check-expiry.ts'
import { countRuns } from '#src/platform/database/server-facts.ts'
import { checkDatabaseClock, checkServiceClock } from './check-clocks.ts'
import { checkDataDir, checkInboxes } from './check-data-dir.ts'
import { checkDatabase, checkSending } from './check-database.ts'
import { checkQueueStore } from './check-durability.ts'
import { checkPipeline } from './check-pipeline.ts'
import { checkPort } from './check-port.ts'
import { type Check, faulty, passed, runSafely } from './check-result.ts'
import { checkIdentities, checkWorkers } from './check-workers.ts'
import { openDatabasePart, openLedgerPart, openServicePart, type Parts, tryQueues } from './open-parts.ts'

export async function checkAll(parts: Parts): Promise<Check[]> {
  await using stack = new AsyncDisposableStack()
  const { settings, pipelines, inboxes, clock } = parts
  const redisUrl = settings.redisUrl
  const here = await Promise.all([
    runSafely('data directory', () => checkDataDir(settings.dataDir)),
    checkStore(parts, stack),
    redisUrl ? runSafely('Redis', () => checkQueueStore(redisUrl.reveal())) : [],
    runSafely('inbox', () => checkInboxes({ inboxes, clock })),
  ])
  const checks = here.flat()
  checks.push(...(await runSafely('archive', () => checkArchives(parts))))
  checks.push(...(await runSafely('queue', () => makeTables('queue', () => checkQueues(parts, checks)))))
  checks.push(...(await runSafely('worker', () => checkWorkers(parts))))
  checks.push(...(await runSafely('web', () => checkPort(parts))))
  checks.push(...(await runSafely('console', () => checkConsole(parts))))
  checks.push(...(await checkService(parts, stack)))
  checks.push(...(await runSafely('sending', () => checkSending(parts))))
  checks.push(...(await runSafely('systems', () => checkSystems(parts))))
  checks.push(...(await runSafely('notify', () => checkNotify(parts))))
  checks.push(...(await runSafely('identity', () => checkIdentities(parts))))
  checks.push(...(await runSafely('pipelines', () => checkStranded(parts))))
  checks.push(...checkExpiry(settings.file))
  if (pipelines.names.length === 0)
    checks.push(faulty('pipelines', 'there is none', 'Add one under pipelines; config/credsync.example.yaml shows how'))
  return checks
}

async function checkStore(parts: Parts, stack: AsyncDisposableStack): Promise<Check[]> {
  const opened = await runSafely('database', async () => {
    await openDatabasePart(parts, stack)
    return []
  })
  if (opened.length > 0) return opened
  return [
    ...(await runSafely('database', () => checkDatabase(parts))),
    ...(await runSafely('clock', () => checkDatabaseClock(parts))),
    ...(await runSafely('ledger', () => makeTables('ledger', () => checkLedger(parts)))),
  ]
}

async function checkLedger(parts: Parts): Promise<Check[]> {
  await openLedgerPart(parts)
  const runs = parts.database ? await countRuns(parts.database) : 0
  return [passed('ledger', `${runs} runs in the ledger, its tables are up to date`)]
}

/**
 * Runs a check that creates missing tables. If a permission is missing, the check of the database has already named it.
 */
async function makeTables(name: string, run: () => Promise<Check[]>): Promise<Check[]> {
  try {
    return await run()
  } catch (fault) {
    // Insufficient privilege, and a schema that our account cannot see.
    if (!['42501', '3F000'].includes(errorCodeOf(fault) ?? '')) throw fault
    const what = 'the database does not let its account make or change the tables'
    return [faulty(name, what, 'Give the account of DATABASE_URL the rights that the database check names', { fault })]
  }
}

/** Skipped after a fault of the clock or of Redis, because the queue then fails to open for the same reason. */
async function checkQueues(parts: Parts, before: readonly Check[]): Promise<Check[]> {
  if (!parts.ledger || before.some(({ name, ok }) => !ok && (name === 'clock' || name === 'Redis'))) return []
  await tryQueues(parts)
  return [passed('queue', parts.settings.redisUrl ? 'kept in Redis' : 'kept in the same database')]
}

async function checkService(parts: Parts, stack: AsyncDisposableStack): Promise<Check[]> {
  const { settings, pipelines } = parts
  const host = () => new URL(settings.baseUrl).host
  const token = await runSafely('token', async () => {
    await openServicePart(parts, stack)
    await parts.service?.issuer.checkToken()
    return [passed('token', `${host()} accepts the keys (${settings.file.service.environment})`)]
  })
  const { service } = parts
  const [accepted] = token
  const courses: Check[] = []
  if (service && accepted?.ok) {
    for (const name of pipelines.names) courses.push(...(await checkPipeline({ ...parts, ...service }, name)))
  } else if (accepted && pipelines.names.length > 0) {
    // Without a token, every further request to the service would only repeat this fault.
    accepted.notices = [`so the courses of these pipelines were not checked: ${pipelines.names.join(', ')}`]
  }
  // After the courses, because a token that the workers share in Redis is accepted without a call. A response that
  // rejects the keys shows the service's time as well. If there was no response, the token check says so.
  const offset = service?.issuer.clockOffsetMs() ?? null
  const clocks = accepted?.ok || offset !== null ? [checkServiceClock(offset)] : []
  return [...token, ...clocks, ...courses]
}

/**
 * Finds unsent rows of pipelines that were renamed or removed. They would wait forever, and nothing else would show it.
 */
async function checkStranded({ ledger, pipelines }: Parts): Promise<Check[]> {
  const stranded = ((await ledger?.work.unsentByPipeline()) ?? []).filter(({ pipeline }) => !pipelines.find(pipeline))
  return stranded.map(({ pipeline, rows }) =>
    faulty(
      'rows to send',
      `${rows} of its rows are still to be sent, but the configuration no longer has this pipeline`,
      'Add it again under the same name',
      { pipeline },
    ),
  )
}

/** Returns the code of an error, such as 42501 or ENOENT; null if it has none. Pure. */
function errorCodeOf(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : null
}
