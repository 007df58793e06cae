// A campus for a test: a Moodle whose learners complete a course, a worker with its doors, the service's sandbox, and what goes between them.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/doing.ts'
import type { EventFields, EventName } from '#src/log/events.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import type { MoodleSandboxSettings } from '#src/moodle-sandbox/settings.ts'
import type { NewCourse, NewLearner } from '#src/moodle-sandbox/site.ts'
import { systemClock } from '#src/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import type { Ended } from '#test/src/cli/program.ts'
import { runHere } from '#test/src/cli/run-here.ts'
import { openWorld, type World, type WorldOptions, worldEnv, worldFile } from './world.ts'

export const hookToken = 'a-token-that-only-two-know'
export const xapiPassword = 'a-password-of-the-lms'
export const profileFields = { credid: 'credential', credurl: 'link', credstatus: 'status' }

/** What a learner's completion may take on a busy machine. */
export const soon = { timeout: 20_000, interval: 50 }

export interface Campus extends AsyncDisposable {
  world: World
  lms: MoodleSandbox
  web: Web
  course: number
  assignment: { id: number; cmid: number } | null
  /** Course modules that have to be completed. */
  criteria: readonly number[]
  /** A learner who is enrolled, by first name. */
  enrol(firstname: string, more?: Partial<NewLearner>): number
  profileOf(learner: number): Promise<Record<string, string>>
  /** Posts what Moodle's webhook plugin would, or whatever else. */
  post(body: unknown, path?: string, headers?: Record<string, string>): Promise<Response>
  /** States of all issuances, in their order. */
  states(): Promise<string[]>
  /** Events of the log so far, with what each said of its outcome. */
  logged: readonly { name: EventName; outcome?: string | undefined }[]
  /** `credsync ARGS` beside the worker. */
  say(...args: string[]): Promise<Ended>
  /** Begins a worker; `openCampus` has done so unless it was told not to. */
  work(): Promise<void>
}

export interface CampusOptions extends Omit<WorldOptions, 'file'> {
  renewAfter?: string
  every?: string
  sweep?: string
  /** Columns of the pipeline in place of those that fit. */
  columns?: Record<string, unknown>
  /** In place of the profile. */
  writeBack?: (lms: MoodleSandbox, added: ReturnType<MoodleSandbox['addCourse']>) => unknown[]
  /** Of the Moodle in our configuration. */
  moodle?: Record<string, unknown>
  site?: Partial<MoodleSandboxSettings>
  courseOf?: Partial<NewCourse>
  systems?: (lms: MoodleSandbox) => Record<string, unknown>
  /** Of the doors in our configuration. */
  front?: Record<string, unknown>
  /** More pipelines, made of the first one. */
  pipelines?: NonNullable<WorldOptions['more']>
  idle?: boolean
}

export async function openCampus(options: CampusOptions = {}): Promise<Campus> {
  const { renewAfter, every = '1d', sweep, columns, site, courseOf, idle = false, ...worldOptions } = options
  await using stack = new AsyncDisposableStack()
  const lms = await openMoodleSandbox({ reviewsEnrolments: true, ...site }, systemClock)
  stack.defer(() => lms.close())
  for (const shortname of Object.keys(profileFields)) lms.addProfileField({ shortname, name: shortname })
  const added = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety', ...courseOf })
  const pipeline = {
    source: { system: 'campus', course: 'FIRE-1', ...(renewAfter && { renewAfter }) },
    columns: columns ?? { Email: 'email', 'Primary Value': { value: 'Email' } },
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
  const logged: { name: EventName; outcome?: string | undefined }[] = []
  const log = { event: (name: EventName, { outcome }: EventFields = {}) => void logged.push({ name, outcome }) }
  const whole: WorldOptions = {
    around: { log },
    reconcile: { every: '100ms', slowest: '500ms' },
    ...worldOptions,
    pipeline,
    file: { systems, ...(options.front && { web: options.front }) },
    ...(options.pipelines && { more: options.pipelines }),
  }
  const world = stack.use(await openWorld(whole))
  const config = join(world.folder, 'campus.yaml')
  await writeFile(config, JSON.stringify(worldFile(world.sandbox, whole)))
  const web = stack.use(
    await serveWeb(
      world.app,
      openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring']),
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const working = stack.use(new AsyncDisposableStack())
  async function work() {
    const worker = await startWorker(world.app, workNames, { inboxes: true })
    working.defer(async () => void (await worker?.stop()))
  }
  if (!idle) await work()
  const closing = stack.move()
  return {
    world,
    lms,
    web,
    course: added.id,
    assignment: added.assignment,
    criteria: added.criteria,
    work,
    logged,
    say: (...args) => {
      const bare = ['status', 'explain'].includes(args[0] ?? '')
      return runHere([...args, ...(bare ? [] : ['--config', config])], { cwd: world.folder, env: worldEnv(world) })
    },
    enrol(firstname, more) {
      const { id } = lms.addLearner({
        firstname,
        lastname: 'Lovelace',
        email: `${firstname}@example.org`,
        ...more,
      })
      lms.enrol(id, added.id)
      return id
    },
    async profileOf(learner) {
      const shown = await world.app.learning.moodle('campus').moodle.readProfile(learner)
      return Object.fromEntries([...(shown ?? [])].filter(([name]) => name in profileFields))
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

/** The body of Moodle's webhook plugin for a completed course. */
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
