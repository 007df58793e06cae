// The parts of the app, opened one by one, so that one that cannot be opened does not keep the others from being looked at.

import type { Settings } from '#config/settings.ts'
import { type App, openService, prepareLedger, queueBackendOf, type Surroundings } from '#src/app.ts'
import { type Database, openDatabase } from '#src/database/database.ts'
import { serverFacts } from '#src/database/server-facts.ts'
import { openArchives } from '#src/downloads/open-archives.ts'
import { certificateHosts } from '#src/downloads/open-certificates.ts'
import { openInboxes } from '#src/inbox/open-inboxes.ts'
import { openCourseDesk } from '#src/pipelines/course-desk.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import { openQueues } from '#src/queue/open-queues.ts'
import { openStorage } from '#src/storage.ts'
import { type Tuning, tuningOf } from '#src/tuning.ts'
import { openUploadDesk } from '#src/upload/upload-desk.ts'

/** Null where something could not be opened; a check says why. */
export interface Parts extends Pick<App, 'settings' | 'clock' | 'inboxes' | 'archives' | 'pipelines'> {
  around: Surroundings
  tuning: Tuning
  service: ServicePart | null
  database: Database | null
  databaseUrl: string | null
  storageKind: string
  ledger: App['ledger'] | null
  /** What tells the store of the queues from another one; null without Redis as well. */
  storeId: string | null
}

export type ServicePart = Pick<App, 'issuer' | 'courses' | 'uploads'>

/** Nothing is opened yet that could fail. */
export function partsOf(settings: Settings, around: Surroundings): Parts {
  const { clock } = around
  const { pipelines } = settings.file
  return {
    settings,
    around,
    clock,
    tuning: { ...tuningOf(settings), ...around.tuning },
    inboxes: openInboxes(pipelines, clock),
    archives: openArchives(pipelines, certificateHosts(settings), clock),
    pipelines: openPipelines(pipelines),
    service: null,
    database: null,
    databaseUrl: null,
    storageKind: '',
    ledger: null,
    storeId: null,
  }
}

/** With Redis away the limits are held for this process alone: that is another check's fault. @throws BaseUrlError */
export async function openServicePart(parts: Parts, stack: AsyncDisposableStack): Promise<void> {
  const { issuer } = await openService(parts.settings, parts.around, stack, { mayGoAlone: true })
  const { clock } = parts
  parts.service = { issuer, courses: openCourseDesk(issuer, clock), uploads: openUploadDesk(issuer, clock) }
}

/** Embedded, or the one that is configured: one query tells whether it lets us in. @throws EmbeddedPostgresError, DatabaseUnreachableError */
export async function openDatabasePart(parts: Parts, stack: AsyncDisposableStack): Promise<void> {
  const storage = await openStorage(parts.settings, parts.around)
  stack.defer(() => storage.release())
  const database = stack.use(openDatabase(storage.url))
  await serverFacts(database, [])
  Object.assign(parts, { database, databaseUrl: storage.url, storageKind: storage.kind })
}

/** @throws LedgerTooNewError, EnvironmentMixedError, and what PostgreSQL refuses */
export async function openLedgerPart(parts: Parts): Promise<void> {
  if (parts.database) parts.ledger = await prepareLedger(parts.database, parts.settings, parts.tuning)
}

/** Opened for a moment: that makes the queue's tables where they are missing. @throws QueueUnreachableError, ClockSkewError */
export async function tryQueues(parts: Parts): Promise<void> {
  const { settings, databaseUrl, ledger, clock } = parts
  if (databaseUrl === null || !ledger) return
  const backend = queueBackendOf(settings, databaseUrl, ledger.id)
  const queues = await openQueues({ backend, clock, onFault: () => {} })
  parts.storeId = await queues.storeId()
  await queues.stop(0)
}
