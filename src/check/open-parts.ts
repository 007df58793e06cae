// Opens the parts of the app separately for `check`, so that a part that fails to open does not keep the others from
// being checked. Connects to the database, to Redis and to the queues.

import type { Settings } from '#config/settings.ts'
import type { App } from '#src/app/app.ts'
import { type AppOptions, openService, prepareLedger, queueBackendOf } from '#src/app/open-core.ts'
import { openStorage } from '#src/app/storage.ts'
import { type Tuning, tuningOf } from '#src/app/tuning.ts'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { openInboxes } from '#src/files/inbox/open-inboxes.ts'
import { openCourseCache } from '#src/issuing/pipelines/course-cache.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { openSheetLayoutCache } from '#src/issuing/upload/sheet-layout-cache.ts'
import { type Database, openDatabase } from '#src/platform/database/database.ts'
import { requireSuitable } from '#src/platform/database/require-suitable.ts'
import { openQueues } from '#src/platform/queue/open-queues.ts'
import type { RedisConnection } from '#src/platform/redis/open-redis.ts'

/** The parts that checks use. A part that could not be opened is null, and its check says why. */
export interface Parts extends Pick<App, 'settings' | 'clock' | 'inboxes' | 'pipelines'> {
  appOptions: AppOptions
  tuning: Tuning
  service: ServicePart | null
  /** Also null without REDIS_URL. */
  redis: RedisConnection | null
  database: Database | null
  databaseUrl: string | null
  storageKind: string
  ledger: App['ledger'] | null
  /** Identifies the store of the queues; also null without Redis. */
  storeId: string | null
}

export type ServicePart = Pick<App, 'issuer' | 'courses' | 'uploads'>

/** Opens only the parts that cannot fail to open. */
export function partsToCheck(settings: Settings, appOptions: AppOptions): Parts {
  const { clock } = appOptions
  const { pipelines } = settings.file
  return {
    settings,
    appOptions,
    clock,
    tuning: { ...tuningOf(settings), ...appOptions.tuning },
    inboxes: openInboxes(pipelines, clock),
    pipelines: openPipelines(pipelines),
    service: null,
    redis: null,
    database: null,
    databaseUrl: null,
    storageKind: '',
    ledger: null,
    storeId: null,
  }
}

/** If Redis is unavailable, the limits apply to this process alone; another check reports that. @throws BaseUrlError */
export async function openServicePart(parts: Parts, stack: AsyncDisposableStack): Promise<void> {
  const { issuer, redis } = await openService(parts.settings, parts.appOptions, stack, { mayLimitLocally: true })
  const { clock } = parts
  parts.redis = redis
  parts.service = { issuer, courses: openCourseCache(issuer, clock), uploads: openSheetLayoutCache(issuer, clock) }
}

/**
 * Opens the embedded database or the configured one, and checks what our statements assume of it.
 * @throws EmbeddedPostgresError, DatabaseUnreachableError, DatabaseUnsuitableError
 */
export async function openDatabasePart(parts: Parts, stack: AsyncDisposableStack): Promise<void> {
  const storage = await openStorage(parts.settings, parts.appOptions)
  stack.defer(() => storage.release())
  const database = stack.use(openDatabase(storage.url))
  await requireSuitable(database)
  Object.assign(parts, { database, databaseUrl: storage.url, storageKind: storage.kind })
}

/** @throws LedgerTooNewError, EnvironmentMixedError, and PostgreSQL's errors */
export async function openLedgerPart(parts: Parts): Promise<void> {
  if (parts.database) parts.ledger = await prepareLedger(parts.database, parts.settings, parts.tuning, openWholeLedger)
}

/**
 * Opens the queues, which creates missing tables, and closes them again.
 * @throws QueueUnreachableError, ClockSkewError
 */
export async function tryQueues(parts: Parts): Promise<void> {
  const { settings, databaseUrl, ledger, clock } = parts
  if (databaseUrl === null || !ledger) return
  const backend = queueBackendOf(settings, databaseUrl, ledger.id)
  const queues = await openQueues({ backend, clock, onFault: () => {} })
  parts.storeId = await queues.storeId()
  await queues.stop(0)
}
