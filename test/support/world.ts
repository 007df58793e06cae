// Opens a complete credsync for a test, with a database, folder, sandbox and app of its own.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { openSandbox, type Sandbox } from '#sandboxes/service/open-sandbox.ts'
import type { SandboxSettings } from '#sandboxes/service/settings.ts'
import { type App, openApp } from '#src/app/app.ts'
import type { AppOptions } from '#src/app/open-core.ts'
import type { Tuning } from '#src/app/tuning.ts'
import { silentLog } from '#src/platform/log/log.ts'
import { Secret } from '#src/platform/secret.ts'
import { type Clock, systemClock } from '#src/platform/time/clock.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { handOver } from './hand-over-file.ts'
import { type InterferingProxy, openInterferingProxy } from './interfering-proxy.ts'

export interface World extends AsyncDisposable {
  app: App
  sandbox: Sandbox
  /** The proxy between app and sandbox, which records and breaks exchanges. */
  wire: InterferingProxy
  folder: string
  settings: Settings
  databaseUrl: string
  /** Writes a source file and submits it as `issue` does. Returns the run's id. */
  receive(name: string, text: string | Buffer, pipeline?: string): Promise<string>
}

export interface WorldOptions {
  sandbox?: Partial<SandboxSettings>
  sandboxClock?: Clock
  pipeline?: Record<string, unknown>
  reconcile?: Record<string, unknown>
  tuning?: Partial<Tuning>
  redisUrl?: string
  invitations?: Record<string, unknown>
  /** More pipelines, each based on the first one. */
  morePipelines?: (first: Record<string, unknown>, sandbox: Sandbox) => Record<string, unknown>
  /** Overrides settings of the configuration file. */
  file?: Record<string, unknown>
  /** More options for opening the app. */
  appOptions?: Partial<AppOptions>
  /** Returns the URL of a proxy to the database, through which the app connects. */
  databaseProxy?: (url: string) => Promise<string>
}

export async function openWorld(options: WorldOptions = {}): Promise<World> {
  await using stack = new AsyncDisposableStack()
  const database: TestDatabase = stack.use(await testDatabase())
  const folder = await mkdtemp(join(tmpdir(), 'credsync-world-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const pace = { queueMs: 50, progressMs: 50 }
  const sandbox = await openSandbox({ pace, reportLagMs: 20, ...options.sandbox }, options.sandboxClock ?? systemClock)
  stack.defer(() => sandbox.close())
  const wire = await openInterferingProxy(sandbox.url)
  stack.defer(() => wire.close())
  const settings = worldSettings(
    sandbox,
    wire.url,
    folder,
    (await options.databaseProxy?.(database.url)) ?? database.url,
    options,
  )
  const app = await openApp(settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    // Not shorter, because sweeps cost idle workers CPU time, and many workers run concurrently.
    tuning: { sweepMs: 500, lostAfterMs: 500, stopMs: 5_000, ...options.tuning },
    ...options.appOptions,
  })
  stack.use(app)
  const closing = stack.move()
  return {
    app,
    sandbox,
    wire,
    folder,
    settings,
    databaseUrl: database.url,
    receive: handOver(app.ledger, folder),
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

function worldSettings(
  sandbox: Sandbox,
  baseUrl: string,
  dataDir: string,
  databaseUrl: string,
  options: WorldOptions,
): Settings {
  return {
    configPath: 'test',
    baseUrl,
    key: new Secret(sandbox.key),
    secret: new Secret(sandbox.secret),
    databaseUrl: new Secret(databaseUrl),
    redisUrl: options.redisUrl ? new Secret(options.redisUrl) : null,
    dataDir,
    file: parseFileSettings(worldFile(sandbox, options)),
  }
}

/** Returns the environment for a separate process that works in the world. */
export function worldEnv({ wire, sandbox, folder, databaseUrl }: World): Record<string, string> {
  return {
    CREDSYNC_BASE_URL: wire.url,
    CREDSYNC_KEY: sandbox.key,
    CREDSYNC_SECRET: sandbox.secret,
    CREDSYNC_DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
  }
}

/** Returns the configuration file of the world, for the app or a separate process. */
export function worldFile(sandbox: Sandbox, options: WorldOptions = {}) {
  const [course] = sandbox.courses
  const spring = {
    course: course?.uuid,
    template: course?.templateUuid,
    badgeTemplate: course?.badgeTemplateUuid,
    columns: { Email: 'e_mail', 'Primary Value': { value: 'Email' } },
    ...options.pipeline,
  }
  return {
    service: { environment: 'development' },
    pipelines: { ...options.morePipelines?.(spring, sandbox), spring },
    reconcile: {
      every: '100ms',
      slowest: '500ms',
      grace: '1s',
      refusedGrace: '200ms',
      // With a grace period of a second, the usual eight looks take eight seconds. An outage on a busy machine can be
      // longer.
      looksWithoutControl: 100,
      ...options.reconcile,
    },
    invitations: { canary: false, pause: '300ms', ...options.invitations },
    ...options.file,
  }
}

/** Returns a CSV list of different people: `person.1@example.org` and so on. */
export function peopleCsv(count: number, from = 1): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `person.${from + index}@example.org,Ada${from + index},Lovelace`,
  )
  return ['e_mail,First Name,Last Name', ...rows, ''].join('\n')
}

/** Returns how many times the sandbox was asked to issue to each address, which decides "once each". */
export function timesIssued(sandbox: Sandbox): Map<string, number> {
  const times = new Map<string, number>()
  for (const request of sandbox.requests()) {
    const email = String(request.student.Email)
    times.set(email, (times.get(email) ?? 0) + 1)
  }
  return times
}
