// The way of a completion: a learner finishes a course in a Moodle, hears nothing of us, and finds the credential in the profile.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/doing.ts'
import { type MoodleSandbox, openMoodleSandbox } from '#src/moodle-sandbox/open-moodle-sandbox.ts'
import { systemClock } from '#src/time/clock.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb, type Web } from '#src/web/serve-web.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, type World } from './support/world.ts'

const hookToken = 'a-token-that-only-two-know'
const xapiPassword = 'a-password-of-the-lms'
const fields = { credid: 'credential', credurl: 'link', credstatus: 'status' }

interface Campus extends AsyncDisposable {
  world: World
  lms: MoodleSandbox
  web: Web
  course: number
  /** A learner who is enrolled, by first name. */
  enrol(firstname: string): number
  profileOf(learner: number): Promise<Record<string, string>>
}

async function openCampus({ renewAfter, every = '1d' }: { renewAfter?: string; every?: string } = {}): Promise<Campus> {
  await using stack = new AsyncDisposableStack()
  const lms = await openMoodleSandbox({ reviewsEnrolments: true }, systemClock)
  stack.defer(() => lms.close())
  for (const shortname of Object.keys(fields)) lms.addProfileField({ shortname, name: shortname })
  const { id: course } = lms.addCourse({ idnumber: 'FIRE-1', shortname: 'FIRE', fullname: 'Fire & safety' })
  const confirm = 'campus'
  const world = stack.use(
    await openWorld({
      reconcile: { every: '100ms', slowest: '500ms' },
      pipeline: {
        source: { system: 'campus', course: 'FIRE-1', ...(renewAfter && { renewAfter }) },
        columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
        writeBack: [{ to: 'moodle-profile', system: 'campus', fields }],
      },
      file: {
        systems: {
          campus: { type: 'moodle', url: lms.url, token: lms.token, every },
          hooks: {
            type: 'webhook',
            auth: { type: 'body', pointer: '/token', secret: hookToken },
            map: { preset: 'moodle-webhook' },
            confirm,
          },
          statements: { type: 'xapi', user: 'lms', password: xapiPassword, confirm },
        },
      },
    }),
  )
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

const soon = { timeout: 20_000, interval: 50 }

describeWithDatabase('a learner who completes a course', () => {
  test('finds the credential in the profile, told by a webhook', async () => {
    await using campus = await openCampus()
    const ada = campus.enrol('ada')
    campus.lms.tell({ webhook: { url: `${campus.web.url}/events/hooks`, token: hookToken } })
    await campus.lms.complete(ada, campus.course)
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const { credid, credurl } = await campus.profileOf(ada)
    const [request] = campus.world.sandbox.requests()
    expect(credid).toBe(request?.credentialId)
    expect(credurl).toMatch(/^https?:/)
    expect(request?.student).toMatchObject({ Email: 'ada@example.org', 'First Name': 'ada', 'Last Name': 'Lovelace' })
  })

  test('is issued once, whether a webhook, a statement and a poll tell of it', async () => {
    await using campus = await openCampus({ every: '1s' })
    const ada = campus.enrol('ada')
    campus.lms.tell({
      webhook: { url: `${campus.web.url}/events/hooks`, token: hookToken },
      xapi: { endpoint: `${campus.web.url}/xapi/statements`, user: 'lms', password: xapiPassword },
    })
    await campus.lms.complete(ada, campus.course)
    await campus.lms.cron()
    await expect.poll(() => campus.profileOf(ada), soon).toMatchObject({ credstatus: 'issued' })
    const seen = async () => {
      const { rows } = await campus.world.app.database.query<{ seen: string }>(
        `SELECT system || ' ' || state AS seen FROM delivery ORDER BY system`,
      )
      return rows.map((row) => row.seen)
    }
    // The plugin reports the page that was read beside the course, with the same verb.
    await expect.poll(seen, soon).toEqual(['hooks judged', 'statements judged', 'statements judged'])
    expect(campus.world.sandbox.requests()).toHaveLength(1)
  })
})
