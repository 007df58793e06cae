// Starts a campus for a test: a Moodle site with courses, the service's sandbox, and a worker that receives events.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#sandboxes/moodle/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#sandboxes/moodle/settings.ts'
import type { NewCourse, NewLearner } from '#sandboxes/moodle/site.ts'
import { workNames } from '#src/cli/job-actions.ts'
import { moodleSystem } from '#src/extensions/lms/systems/moodle.ts'
import type { EventFields, EventName } from '#src/platform/log/events.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import { runInProcess } from '#test/src/cli/run-in-process.ts'
import type { Ended } from '#test/src/cli/start-program.ts'
import { openWorld, type World, type WorldOptions, worldEnv, worldFile } from './world.ts'

export const hookToken = 'a-token-that-only-two-know'
export const xapiPassword = 'a-password-of-the-lms-alone'
export const profileFields = { credid: 'credential', credurl: 'link', credstatus: 'status' }

/** How long `expect.poll` waits for a completion, even on a busy machine, and how often it checks, in milliseconds. */
export const completionWait = { timeout: 240_000, interval: 100 }

interface LoggedEvent {
  name: EventName
  outcome?: string | undefined
  learner?: string | undefined
}

export interface Campus extends AsyncDisposable {
  world: World
  lms: MoodleSandbox
  web: Web
  course: number
  assignment: { id: number; cmid: number } | null
  /** Course modules that must be completed. */
  criteria: readonly number[]
  /** Adds a learner with this first name and enrolls them in the course. Returns the user id. */
  enroll(firstname: string, more?: Partial<NewLearner>): number
  profileOf(learner: number): Promise<Record<string, string>>
  /** Posts a body as Moodle's webhook plugin does, or any other body. */
  post(body: unknown, path?: string, headers?: Record<string, string>): Promise<Response>
  /** The states of all issuances, in order. */
  states(): Promise<string[]>
  /** The log events so far, each with its outcome. */
  logged: readonly LoggedEvent[]
  /** Runs `credsync ARGS` while the worker is running. */
  runCli(...args: string[]): Promise<Ended>
  /** Starts a worker. `openCampus` does this too, unless `idle` is set. */
  startWorker(): Promise<void>
}

export interface CampusOptions extends Omit<WorldOptions, 'file'> {
  renewAfter?: string
  every?: string
  sweep?: string
  /** Replaces the pipeline's default columns. */
  columns?: Record<string, unknown>
  /** Replaces the profile fields as the write-back target. */
  writeBack?: (lms: MoodleSandbox, added: ReturnType<MoodleSandbox['addCourse']>) => unknown[]
  /** More settings for Moodle. */
  moodle?: Record<string, unknown>
  site?: Partial<MoodleSandboxSettings>
  /** Replaces fields of the course. */
  courseFields?: Partial<NewCourse>
  /** More learning systems. */
  systems?: (lms: MoodleSandbox) => Record<string, unknown>
  /** More settings for the event receivers. */
  receivers?: Record<string, unknown>
  /** More settings of the configuration file. */
  settings?: Record<string, unknown>
  /** More pipelines, each based on the first one. */
  pipelines?: NonNullable<WorldOptions['morePipelines']>
  /** Starts no worker. */
  idle?: boolean
}

export async function openCampus(options: CampusOptions = {}): Promise<Campus> {
  const { renewAfter, every = '1d', sweep, columns, site, courseFields, idle = false, ...worldOptions } = options
  await using stack = new AsyncDisposableStack()
  const lms = await openMoodleSandbox({ reviewsEnrollments: true, ...site }, systemClock)
  stack.defer(() => lms.close())
  for (const shortname of Object.keys(profileFields)) lms.addProfileField({ shortname, name: shortname })
  const added = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety', ...courseFields })
  const pipeline = {
    source: { system: 'campus', course: 'FIRE-1', ...(renewAfter && { renewAfter }) },
    columns: columns ?? { Email: 'email', 'Primary Value': { value: 'Email' } },
    options: { publicLink: true },
    writeBack: options.writeBack?.(lms, added) ?? [{ to: 'moodle-profile', system: 'campus', fields: profileFields }],
    ...options.pipeline,
  }
  const confirm = 'campus'
  const systems = {
    campus: {
      type: 'moodle',
      url: lms.url,
      token: lms.token,
      every,
      ...(sweep && { sweep }),
      perSecond: 50,
      ...options.moodle,
    },
    hooks: {
      type: 'webhook',
      auth: { type: 'body', pointer: '/token', secret: hookToken },
      map: { preset: 'moodle-webhook' },
      confirm,
    },
    statements: { type: 'xapi', user: 'lms', password: xapiPassword, confirm },
    ...options.systems?.(lms),
  }
  const logged: LoggedEvent[] = []
  const log = {
    event: (name: EventName, { outcome, learner }: EventFields = {}) => void logged.push({ name, outcome, learner }),
  }
  const allOptions: WorldOptions = {
    appOptions: { log },
    reconcile: { every: '100ms', slowest: '500ms' },
    ...worldOptions,
    pipeline,
    file: { systems, ...(options.receivers && { web: options.receivers }), ...options.settings },
    ...(options.pipelines && { morePipelines: options.pipelines }),
  }
  const world = stack.use(await openWorld(allOptions))
  const config = join(world.folder, 'campus.yaml')
  await writeFile(config, JSON.stringify(worldFile(world.sandbox, allOptions)))
  const web = stack.use(
    await serveWeb(
      world.app,
      openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring']),
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const working = stack.use(new AsyncDisposableStack())
  async function startOneMore() {
    const worker = await startWorker(world.app, workNames, { inboxes: true })
    working.defer(async () => void (await worker?.stop()))
  }
  if (!idle) await startOneMore()
  const closing = stack.move()
  return {
    world,
    lms,
    web,
    course: added.id,
    assignment: added.assignment,
    criteria: added.criteria,
    startWorker: startOneMore,
    logged,
    runCli: (...args) => runInProcess([...args, '--config', config], { cwd: world.folder, env: worldEnv(world) }),
    enroll(firstname, more) {
      const { id } = lms.addLearner({
        firstname,
        lastname: 'Lovelace',
        email: `${firstname}@example.org`,
        ...more,
      })
      lms.enroll(id, added.id)
      return id
    },
    async profileOf(learner) {
      const profile = await world.app.learning.client(moodleSystem, 'campus').readProfile(learner)
      return Object.fromEntries([...(profile ?? [])].filter(([name]) => name in profileFields))
    },
    post: (body, path = '/events/hooks', headers = {}) =>
      fetch(`${web.url}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    async states() {
      const { rows } = await world.app.database.query<{ state: string }>('SELECT state FROM issuance ORDER BY id')
      return rows.map(({ state }) => state)
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}

/** The body that Moodle's webhook plugin posts for a completed course. */
export function completedHook(learner: number, course: number, more: Record<string, unknown> = {}) {
  return {
    eventname: '\\core\\event\\course_completed',
    component: 'core',
    action: 'completed',
    target: 'course',
    objecttable: 'course_completions',
    objectid: '1',
    courseid: String(course),
    userid: String(learner),
    relateduserid: String(learner),
    timecreated: 1_795_219_377,
    host: '127.0.0.1',
    token: hookToken,
    ...more,
  }
}
