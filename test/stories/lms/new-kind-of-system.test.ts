// Two kinds of learning system that only this file defines: one is polled, the other sends events that the first
// confirms. Their registry entries alone give them settings, polling, an HTTP endpoint and checks, and credentials are
// issued for their learners. Profiles of the first kind are read back at night, whatever kind of target wrote them.

import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { SettingsFault } from '#config/read-variable.ts'
import type { FileSettings, PipelineSettings } from '#config/schema.ts'
import { startWorker } from '#jobs/worker.ts'
import { workNames } from '#src/cli/job-actions.ts'
import { checkSystems } from '#src/extensions/lms/check/check-systems.ts'
import { checkSystemReferences } from '#src/extensions/lms/settings/check-references.ts'
import { systemsSchemaOf, writeBackSchemaOf } from '#src/extensions/lms/settings/system-and-target-settings.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { cellsOfEvent } from '#src/extensions/lms/systems/completion-cells.ts'
import { inboundSettings } from '#src/extensions/lms/systems/endpoint-check.ts'
import { pollingSettings } from '#src/extensions/lms/systems/moodle-settings.ts'
import type { CompletionPipeline } from '#src/extensions/lms/systems/polled-system.ts'
import { systemKinds } from '#src/extensions/lms/systems/registry.ts'
import { defineSystem } from '#src/extensions/lms/systems/system-kind.ts'
import { credentialProperty } from '#src/extensions/lms/targets/credential-text.ts'
import { targetKinds } from '#src/extensions/lms/targets/registry.ts'
import { type DueWithLearner, defineTarget, textsFor } from '#src/extensions/lms/targets/target-kind.ts'
import type { LmsHttp } from '#src/platform/http/http-client.ts'
import { LmsError } from '#src/platform/http/lms-error.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { type Campus, completionWait, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { json, openScriptedServer } from '#test/support/scripted-server.ts'

class AcademyError extends LmsError {
  override name = 'AcademyError'
  readonly failure = { kind: 'away' as const, isOfCourse: false, code: null, retryAfterMs: null }
}

interface Graduate {
  id: string
  email: string
  firstname: string
  lastname: string
  at: string
}

interface Academy {
  graduates(course: string): Promise<Graduate[]>
  /** Returns a learner's profile, after writing `fields` to it if they are given. */
  page(learner: string, fields?: Record<string, string>): Promise<Record<string, string>>
}

const academySettings = z.strictObject({ type: z.literal('academy'), url: z.url(), ...pollingSettings })
const academy = defineSystem<typeof academySettings, Academy>({
  type: 'academy',
  settings: academySettings,
  address: 'url',
  columns: () => ['id', 'email', 'firstname', 'lastname', 'course', 'completed'],
  open: ({ send }, { url }) => ({ client: openAcademy(send, url), fault: null }),
  poll: ({ name, settings, client }) => ({
    name,
    settings,
    async course(pipeline) {
      const find = async () => {
        const completions = (await client.graduates(pipeline.course)).map((each) => completionOf(each, pipeline))
        return { completions, problems: [] }
      }
      return { isAbout: ({ course }) => course === pipeline.course, findOne: find, findAll: find }
    },
    readProfile: async (learner) => new Map(Object.entries(await client.page(learner))),
  }),
  courseFault: (course) => (course.startsWith('FIRE') ? null : 'is no course of an academy'),
  async check({ client, pipelines }, { url }) {
    for (const { course } of pipelines) await client.graduates(course)
    return [{ name: 'system', what: `${new URL(url).hostname} is an academy` }]
  },
})

const bellSettings = z.strictObject({ type: z.literal('bell'), word: z.string(), ...inboundSettings })
const bell = defineSystem<typeof bellSettings, never>({
  type: 'bell',
  settings: bellSettings,
  columns: () => [],
  receive: (name, { word, confirm = null, maxBytes, retentionDays }) => ({
    ...{ name, confirm, retentionDays, mapping: null },
    read: ({ body }) => ({
      hints: [{ learner: { id: '7' }, course: body.toString(), at: null, fields: {} }],
      problem: null,
    }),
    open: ({ inboundEvents, onStored }) => ({
      ...{ path: `/bells/${name}`, methods: 'POST', maxBytes },
      checkHead: ({ headers }) =>
        headers.authorization === word
          ? { kind: 'proven' }
          : { kind: 'refused', answer: { status: 401, headers: {}, body: 'Who rings?', failedLogin: 'word-wrong' } },
      async handle({ body }) {
        await inboundEvents.keep([
          { system: name, key: createHash('sha256').update(body).digest('hex'), headers: {}, body },
        ])
        onStored()
        return { status: 200, headers: { 'x-bell': 'rung' }, body: 'Heard.' }
      },
    }),
  }),
  check: ({ system }) => [{ name: 'endpoint', what: `${system} rings`, notices: ['it was not tried'] }],
})

const academyPage = defineTarget({
  to: 'academy-page',
  settings: z.strictObject({
    to: z.literal('academy-page'),
    system: z.string(),
    lines: z.record(z.string(), credentialProperty),
  }),
  system: { type: 'academy', sentence: 'academy-page needs one of type academy' },
  showsOne: true,
  name: ({ system }) => `academy-page ${system}`,
  describe: () => 'the pages of an academy',
  propertiesToShow: ({ lines }) => Object.values(lines),
  profileFields: ({ lines }) => lines,
  async deliver({ learning }, { system, lines }, due: DueWithLearner) {
    await learning.client(academy, system).page(due.completion.learner, textsFor(lines, due))
    return { kind: 'verified' }
  },
})

const kinds = [...systemKinds, academy, bell] as const
const ownTargets = [...targetKinds, academyPage] as const
const ada = { id: '7', email: 'ada@example.org', at: '2026-01-02T00:00:00Z', firstname: 'Ada', lastname: 'Lovelace' }

describeWithDatabase('a new kind of learning system', () => {
  test('sends events that another new kind confirms', async () => {
    await using server = await openServer()
    server.on('/graduates/FIRE-1', json(200, []), json(200, [ada]))
    await using campus = await openCampus({ idle: true, writeBack: () => [] })
    const systems = {
      campus: { type: 'academy', url: server.url, every: '1d' },
      tower: { type: 'bell', word: 'ding', confirm: 'campus' },
    }
    await using web = await openWorkerAndWeb(campus, systems)
    await expect.poll(() => server.seen.length, completionWait).toBe(1)
    const ring = (authorization: string) =>
      fetch(`${web.url}/bells/tower`, { method: 'POST', headers: { authorization }, body: 'FIRE-1' })
    expect((await ring('dong')).status).toBe(401)
    const answer = await ring('ding')
    expect([answer.status, answer.headers.get('x-bell'), await answer.text()]).toEqual([200, 'rung', 'Heard.'])
    await expect.poll(() => campus.states(), completionWait).toEqual(['issued'])
  })

  test('that shows its profiles is read back at night, whatever target kind wrote them', async () => {
    await using server = await openServer()
    const page: Record<string, string> = {}
    server.on('/graduates/FIRE-1', json(200, [ada]))
    server.on('/pages/7', (request, response) => {
      if (request.method === 'POST') Object.assign(page, JSON.parse(request.body))
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(page))
    })
    await using campus = await openCampus({ idle: true, writeBack: () => [] })
    const writeBack = [{ to: 'academy-page', system: 'campus', lines: { badge: 'credential', state: 'status' } }]
    const systems = { campus: { type: 'academy', url: server.url, every: '1d', sweep: '1d' } }
    await using worker = await openWorkerAndWeb(campus, systems, writeBack)
    const { ledger } = campus.world.app
    const outcome = async () => (await ledger.deliveries.counts())[0]
    await expect.poll(outcome, completionWait).toMatchObject({ target: 'academy-page campus', verified: 1 })
    expect(page).toEqual({ badge: campus.world.sandbox.requests()[0]?.credentialId, state: 'issued' })

    page.state = ''
    const requestCheck = () => ledger.drift.request('campus', worker.learning.profileTargetsOf('campus'))
    expect(await requestCheck()).toBe(1)
    await expect.poll(() => page.state, completionWait).toBe('issued')
    await expect.poll(outcome, completionWait).toMatchObject({ verified: 1 })
    page.badge = 'theirs'
    await requestCheck()
    await expect
      .poll(outcome, completionWait)
      .toMatchObject({ drifted: 1, problem: expect.stringMatching(/to badge and/) })
    expect(page.badge).toBe('theirs')
  })

  test('is checked by `credsync check`', async () => {
    await using server = await openServer()
    server.on('/graduates/FIRE-1', json(200, []), json(503, {}))
    await using campus = await openCampus({ idle: true, writeBack: () => [] })
    const { file } = settingsWith(campus, {
      campus: { type: 'academy', url: server.url },
      tower: { type: 'bell', word: 'ding' },
    })
    const { clock } = campus.world.app
    const check = () =>
      checkSystems({ settings: { file }, ledger: null, clock, appOptions: { random: () => 0.5 } }, kinds)
    expect(await check()).toMatchObject([
      { name: 'system', system: 'campus', ok: true, what: '127.0.0.1 is an academy' },
      { name: 'endpoint', system: 'tower', ok: true, notices: ['it was not tried'] },
    ])
    expect(await check()).toMatchObject([{ system: 'campus', ok: false, what: 'The academy is closed' }, { ok: true }])
  })
})

test('a new kind of learning system has its settings parsed with those of other kinds, and may be a source or confirm events', () => {
  const read = systemsSchemaOf(kinds)
  expect(read.safeParse({ campus: { type: 'academy' } }).success).toBe(false)
  const systems = read.parse({
    campus: { type: 'academy', url: 'https://academy.example' },
    tower: { type: 'bell', word: 'ding', confirm: 'campus' },
    old: { type: 'moodle', url: 'https://old.example', token: 'a-token' },
  })
  const faultsOf = (course: string) => {
    const faults: SettingsFault[] = []
    const pipelines = { spring: { source: { system: 'campus', course }, writeBack: [] } }
    checkSystemReferences({ systems, pipelines } as unknown as FileSettings, faults, kinds)
    return faults
  }
  expect(faultsOf('FIRE-1')).toEqual([])
  expect(faultsOf('7')).toEqual([{ where: 'pipelines.spring.source.course', sentence: 'is no course of an academy' }])
})

function openAcademy(send: LmsHttp['send'], url: string): Academy {
  return {
    async graduates(course) {
      const answer = await send({ method: 'GET', url: `${url}/graduates/${course}`, headers: {}, deadlineMs: 60_000 })
      if (answer.kind === 'failed' || answer.status !== 200) throw new AcademyError('The academy is closed.')
      return JSON.parse(answer.text)
    },
    async page(learner, fields) {
      const request = { url: `${url}/pages/${learner}`, headers: {}, deadlineMs: 60_000 }
      const answer = await send(
        fields ? { ...request, method: 'POST', body: JSON.stringify(fields) } : { ...request, method: 'GET' },
      )
      if (answer.kind === 'failed') throw new AcademyError('The academy is closed.')
      return JSON.parse(answer.text)
    },
  }
}

function completionOf({ at, ...learner }: Graduate, { course }: CompletionPipeline) {
  const completedAt = new Date(at)
  const cells = cellsOfEvent({ learner, course, fields: {} }, completedAt)
  return { learner: learner.id, course, completedAt, cells }
}

function settingsWith({ world: { app } }: Campus, systems: object, writeBack: readonly object[] = []) {
  // The built-in settings do not include these kinds.
  const read = systemsSchemaOf(kinds).parse(systems) as unknown as FileSettings['systems']
  const { spring } = app.settings.file.pipelines
  if (!spring) throw new Error('The configuration has no pipeline spring.')
  const targets = writeBackSchemaOf(ownTargets).parse(writeBack) as unknown as PipelineSettings['writeBack']
  const file = { ...app.settings.file, systems: read, pipelines: { spring: { ...spring, writeBack: targets } } }
  const { clock } = app
  const parts = {
    send: app.wire.send,
    clock,
    random: () => 0.5,
    gateFor: noGate,
    systemKinds: kinds,
    targetKinds: ownTargets,
  }
  return { file, learning: openLearningSystems(file, parts) }
}

const noGate =
  () =>
  <T>(work: () => Promise<T>) =>
    work()

/** Runs a worker and its web server with these kinds. */
async function openWorkerAndWeb(campus: Campus, systems: object, writeBack: readonly object[] = []) {
  const own = settingsWith(campus, systems, writeBack)
  const app = { ...campus.world.app, ...own, ...learningParts(campus.world.app, own.learning) }
  const metrics = openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring'])
  const web = await serveWeb(app, metrics, { host: '127.0.0.1', port: 0 })
  const worker = await startWorker(app, workNames, { inboxes: true })
  return {
    url: web.url,
    learning: app.learning,
    async [Symbol.asyncDispose]() {
      await worker?.stop()
      await web[Symbol.asyncDispose]()
    },
  }
}

async function openServer() {
  const server = await openScriptedServer()
  return { ...server, [Symbol.asyncDispose]: () => server.close() }
}
