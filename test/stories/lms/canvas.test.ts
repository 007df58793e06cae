// A completion in Canvas: a Live Event or a poll finds it, one credential is issued, and the gradebook shows it.

import { expect, onTestFinished, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import type { CanvasSandbox } from '#sandboxes/canvas/open-canvas-sandbox.ts'
import type { SiteLearner } from '#sandboxes/canvas/site.ts'
import { workNames } from '#src/cli/job-actions.ts'
import { openMetrics } from '#src/web/open-metrics.ts'
import { serveWeb } from '#src/web/serve-web.ts'
import { openSite } from '#test/src/extensions/lms/canvas/open-site-and-client.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { requestRevocation } from '#test/support/revocation-steps.ts'
import { openWorld, type World } from '#test/support/world.ts'

const pollWait = { timeout: 240_000, interval: 100 }
const at = '2026-11-05T13:38:00Z'
const secret = 'a-secret-that-only-two-know'
const columns = { Credential: 'credential', 'Credential link': 'link', 'Credential status': 'status' }

async function openCampus(
  every: string,
  refusals = 0,
  prepare: (canvas: CanvasSandbox) => void = () => {},
): Promise<{ world: World; canvas: CanvasSandbox }> {
  const canvas = await openSite()
  prepare(canvas)
  canvas.throttle(refusals)
  const world = await openWorld({
    pipeline: {
      source: { system: 'campus', course: 'sis_course_id:CS/101.11é' },
      columns: { Email: 'email', 'Primary Value': { value: 'Email' } },
      options: { publicLink: true },
      writeBack: [{ to: 'canvas-columns', system: 'campus', columns }],
    },
    file: {
      systems: {
        campus: { type: 'canvas', url: canvas.url, token: canvas.token, every, perSecond: 50 },
        events: {
          type: 'webhook',
          auth: { type: 'bearer', secret },
          map: { preset: 'canvas' },
          confirm: 'campus',
        },
      },
    },
  })
  onTestFinished(() => world[Symbol.asyncDispose]())
  const worker = await startWorker(world.app, workNames, { inboxes: true })
  onTestFinished(async () => void (await worker?.stop()))
  return { world, canvas }
}

const entriesOf = ({ columns: gradebookColumns }: CanvasSandbox, { id }: SiteLearner) =>
  Object.fromEntries(gradebookColumns.map(({ title, cells }) => [title, cells.get(id)]))

describeWithDatabase('a learner who completes a course in Canvas', () => {
  test('is found by a poll despite throttling, and shown in the gradebook; a revocation follows', async () => {
    const { world, canvas } = await openCampus('300ms', 1)
    const ada = canvas.enroll('Ada')
    canvas.complete(ada, at)
    const currentProblem = async () => (await world.app.ledger.learningSystems.statuses())[0]?.problem
    await expect.poll(currentProblem, pollWait).toMatch(/throttles our requests/)
    expect(canvas.requests).toHaveLength(1)
    await world.app.database.query('UPDATE learning_system SET due_at = clock_timestamp()')
    await expect.poll(() => entriesOf(canvas, ada), pollWait).toMatchObject({ 'Credential status': 'issued' })
    const [request] = world.sandbox.requests()
    expect(request?.student).toMatchObject({ Email: 'ada@example.org', 'First Name': 'Ada', 'Last Name': 'Lovelace' })
    expect(entriesOf(canvas, ada)).toMatchObject({
      Credential: request?.credentialId,
      'Credential link': expect.stringMatching(/^http/),
    })
    const deliveryCounts = async () => (await world.app.ledger.deliveries.counts())[0]
    await expect
      .poll(deliveryCounts, pollWait)
      .toMatchObject({ target: 'canvas-columns campus', verified: 1, problem: null })
    await requestRevocation(world, 1)
    await expect.poll(() => entriesOf(canvas, ada), pollWait).toMatchObject({ 'Credential status': 'revoked' })
    expect(entriesOf(canvas, ada)['Credential link']).toBeUndefined()
  })

  test('whose e-mail address Canvas does not show is invalid, and gets a credential in the night after it is shown', async () => {
    const { world, canvas } = await openCampus('300ms')
    const ada = canvas.enroll('Ada')
    canvas.course.forbidden.add('read_email_addresses')
    canvas.complete(ada, at)
    const invalid = async () => (await world.app.ledger.runs.list(1))[0]?.invalid
    await expect.poll(invalid, pollWait).toBe(1)
    canvas.course.forbidden.delete('read_email_addresses')
    await world.app.database.query('UPDATE learning_system SET sweep_at = clock_timestamp()')
    await expect.poll(() => entriesOf(canvas, ada), pollWait).toMatchObject({ 'Credential status': 'issued' })
    expect(world.sandbox.requests()).toHaveLength(1)
  })

  test('and whose course was concluded since is issued by the first poll and delivered, and the course is named', async () => {
    const { world, canvas } = await openCampus('1d', 0, (site) => {
      site.complete(site.enroll('Ada'), at)
      site.enroll('Byron')
      site.conclude()
    })
    const [ada] = [...canvas.course.learners.values()]
    if (!ada) throw new Error('The course has no learner.')
    await expect.poll(() => entriesOf(canvas, ada), pollWait).toMatchObject({ 'Credential status': 'issued' })
    expect(world.sandbox.requests().map(({ student }) => student.Email)).toEqual(['ada@example.org'])
    const [status] = await world.app.ledger.learningSystems.statuses()
    expect(status?.problem).toMatch(/^Pipeline spring: The course is concluded in Canvas/)
  })

  test('is found by a Live Event, which Canvas must confirm, and gets one credential', async () => {
    const { world, canvas } = await openCampus('1d')
    const web = await serveWeb(
      world.app,
      openMetrics({ version: '1', environment: 'development', storage: 'postgresql' }, ['spring']),
      { host: '127.0.0.1', port: 0 },
    )
    onTestFinished(() => web[Symbol.asyncDispose]())
    const [ada, byron] = [canvas.enroll('Ada'), canvas.enroll('Byron')]
    // At this point, the regular poll has run and found nobody.
    await expect.poll(() => canvas.requests, pollWait).toContain('GET courses/7/bulk_user_progress')
    canvas.complete(ada, at)
    for (const learner of [byron, ada])
      expect(await canvas.sendEvent(learner, { url: `${web.url}/events/events`, secret })).toBe(200)
    await expect.poll(() => entriesOf(canvas, ada), pollWait).toMatchObject({ 'Credential status': 'issued' })
    expect(world.sandbox.requests().map(({ student }) => student.Email)).toEqual(['ada@example.org'])
    const { rows } = await world.app.database.query('SELECT state, problem FROM inbound_event')
    expect(rows).toEqual([
      { state: 'processed', problem: null },
      { state: 'processed', problem: null },
    ])
  })
})
