// A whole credsync for a test: its own database, its own folder, a sandbox on the wire, and the app between them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFileSettings, type Settings } from '#config/settings.ts'
import { type App, openApp, type Surroundings } from '#src/app.ts'
import { silentLog } from '#src/log/log.ts'
import { openSandbox, type Sandbox } from '#src/sandbox/open-sandbox.ts'
import type { SandboxSettings } from '#src/sandbox/settings.ts'
import { Secret } from '#src/secret/secret.ts'
import { type Clock, systemClock } from '#src/time/clock.ts'
import type { Tuning } from '#src/tuning.ts'
import { type TestDatabase, testDatabase } from './database.ts'
import { handOver } from './hand-over.ts'
import { type InterferingProxy, openInterferingProxy } from './interfering-proxy.ts'

export interface World extends AsyncDisposable {
  app: App
  sandbox: Sandbox
  /** Between the app and the sandbox; tells what passes, and spoils what it is told to. */
  wire: InterferingProxy
  folder: string
  settings: Settings
  databaseUrl: string
  /** Writes a source file and hands it over, as `issue` does. */
  receive(name: string, text: string | Buffer): Promise<string>
}

export interface WorldOptions {
  sandbox?: Partial<SandboxSettings>
  sandboxClock?: Clock
  pipeline?: Record<string, unknown>
  reconcile?: Record<string, unknown>
  tuning?: Partial<Tuning>
  redisUrl?: string
  invitations?: Record<string, unknown>
  /** More pipelines, made of the first one. */
  more?: (first: Record<string, unknown>, sandbox: Sandbox) => Record<string, unknown>
  /** Over the whole configuration file. */
  file?: Record<string, unknown>
  /** What the app is opened with besides. */
  around?: Partial<Surroundings>
  /** The app's own way to the database, such as a proxy in front of it. */
  wayToDatabase?: (url: string) => Promise<string>
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
    (await options.wayToDatabase?.(database.url)) ?? database.url,
    options,
  )
  const app = await openApp(settings, {
    clock: systemClock,
    log: silentLog,
    random: () => 0.5,
    tuning: { sweepMs: 50, lostAfterMs: 500, stopMs: 5_000, ...options.tuning },
    ...options.around,
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

/** The environment of a program of its own that works in a world. */
export function worldEnv({ wire, sandbox, folder, databaseUrl }: World): Record<string, string> {
  return {
    CREDSYNC_BASE_URL: wire.url,
    CREDSYNC_KEY: sandbox.key,
    CREDSYNC_SECRET: sandbox.secret,
    CREDSYNC_DATA_DIR: folder,
    DATABASE_URL: databaseUrl,
  }
}

/** The configuration file of the world, for the app here or for a process of its own. */
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
    pipelines: { ...options.more?.(spring, sandbox), spring },
    reconcile: { every: '100ms', slowest: '500ms', grace: '1s', refusedGrace: '200ms', ...options.reconcile },
    invitations: { canary: false, pause: '300ms', ...options.invitations },
    ...options.file,
  }
}

/** A list of people, each once: `person.1@example.org` and so on. */
export function peopleCsv(count: number, from = 1): string {
  const rows = Array.from(
    { length: count },
    (_, index) => `person.${from + index}@example.org,Ada${from + index},Lovelace`,
  )
  return ['e_mail,First Name,Last Name', ...rows, ''].join('\n')
}

/** How many times the sandbox was asked to issue for each address; the judge of "once each". */
export function timesIssued(sandbox: Sandbox): Map<string, number> {
  const times = new Map<string, number>()
  for (const request of sandbox.requests()) {
    const email = String(request.student.Email)
    times.set(email, (times.get(email) ?? 0) + 1)
  }
  return times
}
