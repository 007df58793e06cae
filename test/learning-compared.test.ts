// Completions whose rows are invalid because of what we were told, and not because of the learner: they are tried again when that is mended.

import { expect, test } from 'vitest'
import { parseFileSettings } from '#config/settings.ts'
import { compareRules } from '#jobs/compare-rules.ts'
import { intake } from '#jobs/intake.ts'
import { judge } from '#jobs/judge.ts'
import { openLearning } from '#src/learning/open-learning.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import { type Campus, hookToken, openCampus, soon } from './support/campus.ts'
import { describeWithDatabase } from './support/database.ts'

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

/** The tools of a worker that was told other things. */
function told({ world: { app, settings } }: Campus, email: string, mapped: string) {
  const { spring } = settings.file.pipelines
  const file = parseFileSettings({
    ...settings.file,
    systems: { ...settings.file.systems, shop: shop(mapped) },
    pipelines: { spring: { ...spring, columns: columns(email) } },
  })
  const wire = { send: app.wire.send, clock: app.clock, random: () => 0.5 }
  const learning = openLearning(file, { ...wire, gateFor: () => (work) => work() })
  return { ...app, learning, pipelines: openPipelines(file.pipelines) }
}

const runs = async ({ world }: Campus) =>
  (
    await world.app.database.query<{ invalid: number; accepted: number }>(
      'SELECT invalid, accepted FROM run ORDER BY received_at',
    )
  ).rows

/** Reads whatever was gathered and is not read yet. */
async function readAll({ world }: Campus, tools: Parameters<typeof intake>[0]): Promise<void> {
  const { rows } = await world.app.database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'received'`)
  for (const { id } of rows) await intake(tools, { runId: id })
}

describeWithDatabase('a completion whose row is invalid', () => {
  test('is tried again when the pipeline names its columns otherwise, once, and nobody is issued twice', async () => {
    await using campus = await openCampus({ idle: true, columns: columns('username') })
    const { app } = campus.world
    const { completions } = app.ledger
    const of = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    const heard = (learner: string, cells: Record<string, string>) => ({
      ...{ learner, course: 'FIRE-1', completedAt: new Date('2026-01-02') },
      cells: { firstname: learner, lastname: 'Lovelace', email: `${learner}@example.org`, ...cells },
    })
    await completions.hear(
      of,
      [heard('ada', { username: 'ada' }), heard('bob', { username: 'bob@example.org' })],
      'poll',
    )
    await completions.gather('spring')
    await readAll(campus, app)
    expect(await runs(campus)).toEqual([{ invalid: 1, accepted: 1 }])

    expect(await completions.takeToCompare()).toEqual([])
    await completions.compareNow()
    expect(await completions.takeToCompare()).toEqual(['spring'])
    await compareRules(app, { pipeline: 'spring' })
    expect(await runs(campus)).toHaveLength(1)

    const mended = told(campus, 'email', '/email')
    for (let n = 0; n < 2; n++) {
      await compareRules(mended, { pipeline: 'spring' })
      await readAll(campus, mended)
    }
    expect(await runs(campus)).toEqual([
      { invalid: 1, accepted: 1 },
      { invalid: 0, accepted: 1 },
    ])
    expect(await campus.states()).toEqual(['pending', 'pending'])
  })

  test('is compared when a worker starts, and bodies of deliveries that came to rest long ago go by the same sweep', async () => {
    await using campus = await openCampus({ idle: true, columns: columns('username') })
    const { app } = campus.world
    const { completions, deliveries } = app.ledger
    const cells = { username: 'eve', firstname: 'Eve', lastname: 'Lovelace' }
    const of = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    await completions.hear(
      of,
      [{ learner: 'eve', course: 'FIRE-1', completedAt: new Date('2026-01-02'), cells }],
      'poll',
    )
    await completions.gather('spring')
    await readAll(campus, app)
    await deliveries.keep([{ system: 'hooks', key: '0a', headers: {}, body: Buffer.from('{}') }])
    await deliveries.noteJudged(1, { kind: 'judged' })
    await app.database.query(`UPDATE delivery SET judged_at = now() - interval '91 days'`)
    await app.database.query(`UPDATE completion SET refused_by = 'those of another day'`)
    await campus.work()
    await expect
      .poll(() => runs(campus), soon)
      .toEqual([
        { invalid: 1, accepted: 0 },
        { invalid: 1, accepted: 0 },
      ])
    await expect.poll(() => deliveries.named('hooks', '0a'), soon).toMatchObject({ body: null })
  })

  test('of an event that is taken at its word is mapped anew', async () => {
    await using campus = await openCampus({
      idle: true,
      systems: () => ({ shop: shop('/user') }),
      pipeline: { source: { system: 'shop', course: 'SHOP-1' }, writeBack: [], columns: columns('email') },
    })
    const { app } = campus.world
    const event = { user: 'u-1', course: 'SHOP-1', at: '2026-01-02', mail: 'ada@example.org', first: 'Ada', last: 'L' }
    await campus.post({ ...event, token: hookToken }, '/events/shop')
    await judge(app, { system: 'shop' })
    await readAll(campus, app)
    expect(await runs(campus)).toEqual([{ invalid: 1, accepted: 0 }])

    const mended = told(campus, 'email', '/mail')
    await compareRules(mended, { pipeline: 'spring' })
    expect(await runs(campus)).toHaveLength(1)
    await judge(mended, { system: 'shop' })
    await readAll(campus, mended)
    expect(await runs(campus)).toEqual([
      { invalid: 1, accepted: 0 },
      { invalid: 0, accepted: 1 },
    ])
  })
})
