// The composition root: settings become everything that works, opened in order and closed in reverse.

import { randomBytes, randomUUID } from 'node:crypto'
import { fingerprintOf } from '#config/fingerprint.ts'
import type { Settings } from '#config/settings.ts'
import { type AllowanceOptions, type Meter, openAllowance } from '#src/allowance.ts'
import { canConnect } from '#src/database/can-connect.ts'
import { type Database, openDatabase } from '#src/database/database.ts'
import { openArchives } from '#src/downloads/open-archives.ts'
import { certificateHosts } from '#src/downloads/open-certificates.ts'
import { openInboxes } from '#src/inbox/open-inboxes.ts'
import { parseBaseUrl } from '#src/issuer/base-url.ts'
import { openIssuer } from '#src/issuer/issuer.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { migrate } from '#src/ledger/migrate.ts'
import { pinServiceAddress } from '#src/ledger/service-address.ts'
import { openBottleneckGate } from '#src/limits/bottleneck-gate.ts'
import { openLocalSlots } from '#src/limits/local-slots.ts'
import type { Log } from '#src/log/log.ts'
import { openCourseDesk } from '#src/pipelines/course-desk.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import { openQueues, type QueueBackend } from '#src/queue/open-queues.ts'
import { openStorage } from '#src/storage.ts'
import type { Clock } from '#src/time/clock.ts'
import { openProgress } from '#src/time/progress.ts'
import { type Tuning, tuningOf } from '#src/tuning.ts'
import { openUploadDesk } from '#src/upload/upload-desk.ts'
import { openWire } from '#src/wire/open-wire.ts'
import { openOutbox } from '#src/write-back/outbox.ts'

export type { Meter } from '#src/allowance.ts'

export type App = Awaited<ReturnType<typeof openApp>>

export interface Surroundings {
  clock: Clock
  log: Log
  random: () => number
  /** A sentence for the person at the terminal, such as where the embedded database is kept. */
  notice?: (text: string) => void
  meter?: Meter
  /** Tests move these. */
  tuning?: Partial<Tuning>
}

/** Opens everything. Closing it (`await using`) gives back every connection and stops the embedded database if nobody else uses it. */
export async function openApp(settings: Settings, around: Surroundings) {
  await using stack = new AsyncDisposableStack()
  const { clock, log } = around
  const { pipelines } = settings.file
  const tuning: Tuning = { ...tuningOf(settings), ...around.tuning }

  // Before anything remembers the address: one that is refused must leave no trace.
  parseBaseUrl(settings.baseUrl)
  const storage = await openStorage(settings, around)
  stack.defer(() => storage.release())
  const instance = randomUUID()
  const database = openDatabase(storage.url, { instance })
  stack.defer(() => database.close())
  const ledger = await prepareLedger(database, settings, tuning)
  const { gates, issuer } = await openService(settings, around, stack)
  const backend = queueBackendOf(settings, storage.url, ledger.id)
  const queues = await openQueues({ backend, clock, onFault: (where, error) => log.event('fault', { where, error }) })
  stack.defer(async () => void (await queues.stop(0)))

  const inboxes = openInboxes(pipelines, clock)
  const wire = openWire(clock)
  stack.defer(() => wire.close())
  const learning = openLearning(settings.file, {
    send: wire.send,
    clock,
    random: around.random,
    gateFor: (name, limits) => gateTo(name, limits, clock),
  })
  const closing = stack.move()
  return {
    settings,
    tuning,
    clock,
    log,
    database,
    /** Whether the database lets a new connection in, whatever the others of this process wait for. */
    canConnect: () => canConnect(storage.url, clock),
    ledger,
    gates,
    issuer,
    queues,
    courses: openCourseDesk(issuer, clock),
    pipelines: openPipelines(pipelines),
    uploads: openUploadDesk(issuer, clock),
    inboxes,
    wire,
    learning,
    archives: openArchives(pipelines, certificateHosts(settings), clock),
    outbox: openOutbox(settings.dataDir, inboxes),
    progress: openProgress(clock),
    instance,
    /** Tells whether two processes were told the same. */
    configuration: fingerprintOf(settings),
    /** One worker process only: without Redis the limits are kept in this process's memory. */
    exclusive: settings.redisUrl === null,
    storage: settings.redisUrl ? 'PostgreSQL and Redis' : storage.kind,
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The limiter for one learning system, of this process: a learner must never wait because of us. */
function gateTo(name: string, { perSecond, atOnce }: { perSecond: number; atOnce: number }, clock: Clock) {
  const slots = openLocalSlots({ limit: perSecond, marginMs: 0 }, clock)
  const gate = openBottleneckGate({ name, limit: perSecond, maxConcurrent: atOnce, slots, clock })
  return <Answer>(work: () => Promise<Answer>) => gate.pass(work)
}

/** The ledger, brought up to date, for the environment and the service's address of the settings. */
export async function prepareLedger(database: Database, { baseUrl, file }: Settings, tuning: Tuning) {
  const { environment, formerAddresses } = file.service
  await migrate(database, randomBytes(32))
  await pinServiceAddress(database, { baseUrl, environment, formerAddresses })
  return openLedger(database, environment, tuning)
}

/** The service behind its gates. Nothing is asked of it yet. @throws BaseUrlError, RedisUnreachableError (not with `mayGoAlone`) */
export async function openService(
  settings: Settings,
  { clock, random, log, meter }: Pick<Surroundings, 'clock' | 'random' | 'log' | 'meter'>,
  stack: AsyncDisposableStack,
  options?: AllowanceOptions,
) {
  const { baseUrl, key, secret } = settings
  const allowance = await openAllowance(settings, { clock, log, meter }, options)
  stack.defer(() => allowance.close())
  const { gates, tokenStore } = allowance
  const onCall = meter && { onCall: meter.called }
  const issuer = openIssuer({ baseUrl, key, secret, gates, tokenStore, clock, random, ...onCall })
  stack.defer(() => issuer.close())
  return { gates, issuer }
}

/** A queue for each environment: a job of one must never be done by a worker of the other. */
export function queueBackendOf({ redisUrl, file }: Settings, databaseUrl: string, ledgerId: string): QueueBackend {
  const { environment } = file.service
  return redisUrl
    ? { kind: 'redis', url: redisUrl.reveal(), prefix: `credsync-${ledgerId}-${environment}` }
    : { kind: 'postgres', url: databaseUrl, schema: `credsync_queue_${environment}` }
}
