// A Moodle with a course, and a credsync that is told of it by webhook and statements, asks it, and writes into profiles.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/doing.ts'
import type { EventFields, EventName } from '#src/log/events.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import type { Ended } from '#test/src/cli/program.ts'
import { runHere } from '#test/src/cli/run-here.ts'
import { openWorld, type World, type WorldOptions, worldEnv, worldFile } from './world.ts'

export const hookToken = 'a-token-that-only-two-know'
export const xapiPassword = 'a-password-of-the-lms'
const fields = { credid: 'credential', credurl: 'link', credstatus: 'status' }

export interface Campus extends AsyncDisposable {
  world: World
  lms: MoodleSandbox
  web: Web
  course: number
  /** A learner who is enrolled, by first name. */
  enrol(firstname: string): number
  profileOf(learner: number): Promise<Record<string, string>>
  /** Events of the log so far, with what each said of its outcome. */
  logged: readonly { name: EventName; outcome?: string | undefined }[]
  /** `credsync ARGS` beside the worker. */
  say(...args: string[]): Promise<Ended>
}

export interface CampusOptions {
  renewAfter?: string
  every?: string
  sweep?: string
  /** Columns of the pipeline in place of those that fit. */
  columns?: Record<string, unknown>
}

export async function openCampus({ renewAfter, every = '1d', sweep, columns }: CampusOptions = {}): Promise<Campus> {
  await using stack = new AsyncDisposableStack()
  const lms = await openMoodleSandbox({ reviewsEnrolments: true }, systemClock)
  stack.defer(() => lms.close())
  for (const shortname of Object.keys(fields)) lms.addProfileField({ shortname, name: shortname })
  const { id: course } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety' })
  const confirm = 'campus'
  const logged: { name: EventName; outcome?: string | undefined }[] = []
  const log = { event: (name: EventName, { outcome }: EventFields = {}) => void logged.push({ name, outcome }) }
  const options: WorldOptions = {
    around: { log },
    reconcile: { every: '100ms', slowest: '500ms' },
    pipeline: {
      source: { system: 'campus', course: 'FIRE-1', ...(renewAfter && { renewAfter }) },
      columns: columns ?? { Email: 'email', 'Primary Value': { value: 'Email' } },
      writeBack: [{ to: 'moodle-profile', system: 'campus', fields }],
    },
    file: {
      systems: {
        campus: { type: 'moodle', url: lms.url, token: lms.token, every, ...(sweep && { sweep }) },
        hooks: {
          type: 'webhook',
          auth: { type: 'body', pointer: '/token', secret: hookToken },
          map: { preset: 'moodle-webhook' },
          confirm,
        },
        statements: { type: 'xapi', user: 'lms', password: xapiPassword, confirm },
      },
    },
  }
  const world = stack.use(await openWorld(options))
  const config = join(world.folder, 'campus.yaml')
  await writeFile(config, JSON.stringify(worldFile(world.sandbox, options)))
  const web = stack.use(
    await serveWeb(
      world.app,
      openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring']),
      { host: '127.0.0.1', port: 0 },
    ),
  )
  const worker = await startWorker(world.app, workNames, { inboxes: true })
  stack.defer(async () => void (await worker?.stop()))
  const closing = stack.move()
  return {
    world,
    lms,
    logged,
    say: (...args) => {
      const bare = ['status', 'explain'].includes(args[0] ?? '')
      return runHere([...args, ...(bare ? [] : ['--config', config])], { cwd: world.folder, env: worldEnv(world) })
    },
    web,
    course,
    enrol(firstname) {
      const { id } = lms.addLearner({ firstname, lastname: 'Lovelace', email: `${firstname}@example.org` })
      lms.enrol(id, course)
      return id
    },
    async profileOf(learner) {
      const shown = await world.app.learning.moodle('campus').moodle.readProfile(learner)
      return Object.fromEntries([...(shown ?? [])].filter(([name]) => name in fields))
    },
    [Symbol.asyncDispose]: () => closing.disposeAsync(),
  }
}
