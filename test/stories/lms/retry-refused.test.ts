// Completions whose rows were invalid because of the configuration or the system, not the learner: they are retried
// once the cause is fixed.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { intake } from '#jobs/intake.ts'
import { processEvents } from '#jobs/lms/process-events.ts'
import { retryRefused } from '#jobs/lms/run-learning-job.ts'
import { learningParts } from '#src/extensions/lms/sync/learning-parts.ts'
import { openLearningSystems } from '#src/extensions/lms/sync/open-learning-systems.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { type Campus, completionWait, hookToken, openCampus } from '#test/support/campus.ts'
import { describeWithDatabase } from '#test/support/database.ts'

const columns = (email: string) => ({ Email: email, 'Primary Value': { value: 'Email' } })
const shop = (email: string) => ({
  type: 'webhook',
  auth: { type: 'body', pointer: '/token', secret: hookToken },
  map: {
    learner: '/user',
    course: '/course',
    completedAt: '/at',
    fields: { email, firstname: '/first', lastname: '/last' },
  },
})

/** The tools of a worker with another configuration. */
function toolsWith({ world: { app, settings } }: Campus, emailColumn: string, emailPointer: string) {
  const { spring } = settings.file.pipelines
  const file = parseFileSettings({
    ...settings.file,
    systems: { ...settings.file.systems, shop: shop(emailPointer) },
    pipelines: { spring: { ...spring, columns: columns(emailColumn) } },
  })
  const wire = { send: app.wire.send, clock: app.clock }
  const learning = openLearningSystems(file, { ...wire, gateFor: () => (work) => work() })
  return { ...app, ...learningParts(app, learning), pipelines: openPipelines(file.pipelines) }
}

const runs = async ({ world }: Campus) =>
  (
    await world.app.database.query<{ invalid: number; accepted: number }>(
      'SELECT invalid, accepted FROM run ORDER BY received_at',
    )
  ).rows

/** Reads all stored completions that were not read yet. */
async function readAll({ world }: Campus, tools: Parameters<typeof intake>[0]): Promise<void> {
  const { rows } = await world.app.database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'received'`)
  for (const { id } of rows) await intake(tools, { runId: id })
}

describeWithDatabase('a completion whose row is invalid', () => {
  test('is retried once when the pipeline’s columns change, and no one gets two credentials', async () => {
    await using campus = await openCampus({ idle: true, columns: columns('username') })
    const { app } = campus.world
    const { completions } = app.ledger
    const pipeline = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    const completion = (learner: string, cells: Record<string, string>) => ({
      ...{ learner, course: 'FIRE-1', completedAt: new Date('2026-01-02') },
      cells: { firstname: learner, lastname: 'Lovelace', email: `${learner}@example.org`, ...cells },
    })
    await completions.ingest(
      pipeline,
      [completion('ada', { username: 'ada' }), completion('bob', { username: 'bob@example.org' })],
      'poll',
    )
    await completions.createRun('spring')
    await readAll(campus, app)
    expect(await runs(campus)).toEqual([{ invalid: 1, accepted: 1 }])

    expect(await completions.takeToCompare()).toEqual([])
    await completions.compareNow()
    expect(await completions.takeToCompare()).toEqual(['spring'])
    await retryRefused(app, { pipeline: 'spring' })
    expect(await runs(campus)).toHaveLength(1)

    const fixedTools = toolsWith(campus, 'email', '/email')
    for (let n = 0; n < 2; n++) {
      await retryRefused(fixedTools, { pipeline: 'spring' })
      await readAll(campus, fixedTools)
    }
    expect(await runs(campus)).toEqual([
      { invalid: 1, accepted: 1 },
      { invalid: 0, accepted: 1 },
    ])
    expect(await campus.states()).toEqual(['pending', 'pending'])
  })

  test('is checked against the rules when a worker starts, and the same sweep deletes bodies of old processed events', async () => {
    await using campus = await openCampus({ idle: true, columns: columns('username') })
    const { app } = campus.world
    const { completions, inboundEvents: deliveries } = app.ledger
    const cells = { username: 'eve', firstname: 'Eve', lastname: 'Lovelace' }
    const pipeline = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await completions.ingest(
      pipeline,
      [{ learner: 'eve', course: 'FIRE-1', completedAt: new Date('2026-01-02'), cells }],
      'poll',
    )
    await completions.createRun('spring')
    await readAll(campus, app)
    await deliveries.keep([{ system: 'hooks', key: '0a', headers: {}, body: Buffer.from('{}') }])
    await deliveries.noteProcessed(1, { kind: 'processed' })
    await app.database.query(`UPDATE inbound_event SET processed_at = now() - interval '91 days'`)
    await app.database.query(`UPDATE completion SET refused_by = 'those of another day'`)
    await campus.startWorker()
    await expect
      .poll(() => runs(campus), completionWait)
      .toEqual([
        { invalid: 1, accepted: 0 },
        { invalid: 1, accepted: 0 },
      ])
    await expect.poll(() => deliveries.find(1), completionWait).toMatchObject({ body: null })
  })

  test('from a trusted event is mapped again', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({ shop: shop('/user') }),
      pipeline: { source: { system: 'shop', course: 'SHOP-1' }, writeBack: [], columns: columns('email') },
    })
    const { app } = campus.world
    const event = { user: 'u-1', course: 'SHOP-1', at: '2026-01-02', mail: 'ada@example.org', first: 'Ada', last: 'L' }
    await campus.post({ ...event, token: hookToken }, '/events/shop')
    await processEvents(app, { system: 'shop' })
    await readAll(campus, app)
    expect(await runs(campus)).toEqual([{ invalid: 1, accepted: 0 }])

    const fixedTools = toolsWith(campus, 'email', '/mail')
    await retryRefused(fixedTools, { pipeline: 'spring' })
    expect(await runs(campus)).toHaveLength(1)
    await processEvents(fixedTools, { system: 'shop' })
    await readAll(campus, fixedTools)
    expect(await runs(campus)).toEqual([
      { invalid: 1, accepted: 0 },
      { invalid: 0, accepted: 1 },
    ])
  })
})
