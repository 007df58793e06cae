// Opens every part of the core from the settings, in order, and closes them in reverse order. Opens the database,
// migrates the ledger and connects to Redis; makes no request to the service yet.

import { randomBytes, randomUUID } from 'node:crypto'
import { fingerprintOf } from '#config/fingerprint.ts'
import type { Settings } from '#config/settings.ts'
import { openInboxes } from '#src/files/inbox/open-inboxes.ts'
import { parseBaseUrl } from '#src/issuer/http/base-url.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import type { RowsOf } from '#src/issuing/intake/rows-of-run.ts'
import { openCourseCache } from '#src/issuing/pipelines/course-cache.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { openOutbox } from '#src/issuing/results/outbox.ts'
import type { OutcomeTargets } from '#src/issuing/results/outcome-targets.ts'
import { openSheetLayoutCache } from '#src/issuing/upload/sheet-layout-cache.ts'
import type { Ledger, LedgerOptions } from '#src/ledger/ledger.ts'
import { keepInFile } from '#src/ledger/mark/keep-in-file.ts'
import { keepInRedis } from '#src/ledger/mark/keep-in-redis.ts'
import { type LedgerMark, openMark } from '#src/ledger/mark/open-mark.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { pinServiceAddress } from '#src/ledger/service-address.ts'
import { canConnect } from '#src/platform/database/can-connect.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { type CallPlaces, openCallPlaces } from '#src/platform/limits/call-places.ts'
import { limitConcurrency, runByOne } from '#src/platform/limits/limit-concurrency.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import type { Log } from '#src/platform/log/log.ts'
import { openQueues, type QueueBackend } from '#src/platform/queue/open-queues.ts'
import type { RedisConnection } from '#src/platform/redis/open-redis.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { openLoopProgress } from '#src/platform/time/loop-progress.ts'
import { type Meter, openRequestLimits, type RequestLimitsOptions } from './request-limits.ts'
import { makeDataDir, openStorage } from './storage.ts'
import { type Tuning, tuningOf } from './tuning.ts'

export type { Meter } from './request-limits.ts'

/** The core, and the answers for extensions that are not there. */
export type CoreApp = Awaited<ReturnType<typeof openCore<Ledger>>>

type OpenLedger<Opened extends Ledger> = (
  database: Database,
  environment: string,
  options: Omit<LedgerOptions, 'elsewhere'>,
) => Promise<Opened>

export interface AppOptions {
  clock: Clock
  log: Log
  random: () => number
  /** Receives a sentence for the operator at the terminal, such as where the embedded database is kept. */
  notice?: (text: string) => void
  meter?: Meter
  /** Overrides for tests. */
  tuning?: Partial<Tuning>
}

/**
 * Opens the parts of the core. Disposing of them (`await using`) releases every connection, and stops the embedded
 * database if no other process uses it.
 */
export async function openCore<Opened extends Ledger>(
  settings: Settings,
  appOptions: AppOptions,
  open: OpenLedger<Opened>,
) {
  await using stack = new AsyncDisposableStack()
  const { clock, log } = appOptions
  const { pipelines } = settings.file
  const tuning: Tuning = { ...tuningOf(settings), ...appOptions.tuning }

  // Checked before the address is stored anywhere, because a rejected address must leave no trace.
  parseBaseUrl(settings.baseUrl)
  const storage = await openStorage(settings, appOptions)
  stack.defer(() => storage.release())
  const instance = randomUUID()
  const database = openDatabase(storage.url, { instance })
  stack.defer(() => database.close())
  const ledger = await prepareLedger(database, settings, tuning, open)
  const { gates, issuer, redis } = await openService(settings, appOptions, stack)
  const backend = queueBackendOf(settings, storage.url, ledger.id)
  const queues = await openQueues({ backend, clock, onFault: (where, error) => log.event('fault', { where, error }) })
  stack.defer(async () => void (await queues.stop(0)))

  const inboxes = openInboxes(pipelines, clock)
  const closing = stack.move()
  return {
    settings,
    tuning,
    clock,
    random: appOptions.random,
    log,
    database,
    /** Returns true if the database accepts a new connection, even if its other connections are stuck. */
    canConnect: () => canConnect(storage.url, clock),
    ledger,
    mark: openLedgerMark(settings, ledger, redis, log),
    gates,
    issuer,
    queues,
    senders: openSenders(tuning, clock),
    courses: openCourseCache(issuer, clock),
    pipelines: openPipelines(pipelines),
    uploads: openSheetLayoutCache(issuer, clock),
    inboxes,
    rowsOf: (() => null) as RowsOf,
    outcomeTargets: { request: async () => {} } as OutcomeTargets,
    outbox: openOutbox(settings.dataDir, inboxes),
    progress: openLoopProgress(clock),
    instance,
    /** By this hash two processes can tell whether their settings are equal. */
    settingsHash: fingerprintOf(settings),
    /** Allows only one worker process: without Redis the limits are kept in this process's memory. */
    exclusive: settings.redisUrl === null,
    storage: settings.redisUrl ? 'PostgreSQL and Redis' : storage.kind,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** Migrates and opens the ledger for the environment and the service address of the settings. */
export async function prepareLedger<Opened extends Ledger>(
  database: Database,
  { baseUrl, file, hashKey }: Settings,
  tuning: Tuning,
  open: OpenLedger<Opened>,
): Promise<Opened> {
  const { environment, formerAddresses } = file.service
  const outsideKey = hashKey ? Buffer.from(hashKey.reveal(), 'hex') : null
  await migrate(database, randomBytes(32), outsideKey)
  await pinServiceAddress(database, { baseUrl, environment, formerAddresses })
  return open(database, environment, { ...tuning, hashKey: outsideKey })
}

/** Opens the mark in the data directory and, if configured, in Redis. */
export function openLedgerMark(
  { dataDir, baseUrl }: Pick<Settings, 'dataDir' | 'baseUrl'>,
  { id, environment }: { id: string; environment: string },
  redis: RedisConnection | null,
  log: Log,
): LedgerMark {
  const ledgerIdentity = { ledger: id, environment }
  const file = keepInFile(dataDir, () => makeDataDir(dataDir))
  const onFault = (where: string, error: unknown) =>
    log.event('fault', { where: `mark in ${where}`, error: faultName(error) })
  const keepers = redis ? [keepInRedis(redis.run.bind(redis), ledgerIdentity), file] : [file]
  return openMark(keepers, { ...ledgerIdentity, service: baseUrl, onFault })
}

/**
 * Opens the service behind its gates, without making a request yet.
 * @throws BaseUrlError, RedisUnreachableError (not with `mayLimitLocally`)
 */
export async function openService(
  settings: Settings,
  { clock, random, log, meter }: Pick<AppOptions, 'clock' | 'random' | 'log' | 'meter'>,
  stack: AsyncDisposableStack,
  options?: RequestLimitsOptions,
) {
  const { baseUrl, key, secret } = settings
  const limits = await openRequestLimits(settings, { clock, log, meter }, options)
  stack.defer(() => limits.close())
  const { gates, tokenStore } = limits
  const issuer = openIssuer({
    baseUrl,
    key,
    secret,
    gates,
    tokenStore,
    clock,
    random,
    onCall: meter?.called,
    onSmallerPages: (where, size) => log.event('pages.smaller', { where, size: size ?? 0 }),
  })
  stack.defer(() => issuer.close())
  return { gates, issuer, redis: limits.redis }
}

/** Chooses a separate queue for each environment: a worker of one environment must never run a job of the other. */
export function queueBackendOf({ redisUrl, file }: Settings, databaseUrl: string, ledgerId: string): QueueBackend {
  const { environment } = file.service
  return redisUrl
    ? { kind: 'redis', url: redisUrl.reveal(), prefix: `credsync-${ledgerId}-${environment}` }
    : { kind: 'postgres', url: databaseUrl, schema: `credsync_queue_${environment}` }
}

/** A file with images is in memory several times while it is built and sent. */
const filesAtOnce = 4

/**
 * The jobs that a worker takes in addition to those with a place for a call: two prepare batches (one does it, and one
 * waits to do it next), and the queue exchanges others for new ones. More would only keep jobs from other workers.
 */
const jobsBesidePlaces = 4
/**
 * The number of jobs is a multiple of this, so that it changes seldom: while BullMQ fetches a job because it may run
 * one more, it begins none of those that it has.
 */
const jobsStep = 8

export type Senders = ReturnType<typeof openSenders>

/** Opens what all senders of this process share, so that many calls at the same time do not get in each other's way. */
export function openSenders({ perSecond, concurrency }: Pick<Tuning, 'perSecond' | 'concurrency'>, clock: Clock) {
  const places: CallPlaces = openCallPlaces({ perSecond, max: concurrency }, clock)
  return {
    places,
    jobsAtOnce: () => Math.ceil((places.count() + jobsBesidePlaces) / jobsStep) * jobsStep,
    /** If each sender prepared its next batch itself, they would spend their time waiting for the lock of picking. */
    prepareByOne: runByOne(),
    /** If each sender waited for the lock of a scan, they would use up the connections that the scan needs. */
    baselineInTurn: limitConcurrency(1),
    filesInTurn: limitConcurrency(filesAtOnce),
  }
}
