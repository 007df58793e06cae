// A run that one of several workers cannot read, since it does not see the file or does not know the pipeline: it is left to another, and refused
// only when nobody could.

import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { openPipelines } from '#src/pipelines/pipelines.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv, type World } from './support/world.ts'

/** Lets so many minutes pass since the run was handed over, and since it was first missed. */
const pass = (world: World, minutes: number) =>
  world.app.database.query(
    'UPDATE run SET received_at = received_at - make_interval(mins => $1), missed_at = missed_at - make_interval(mins => $1)',
    [minutes],
  )

async function receiveAndLose(world: World): Promise<string> {
  const runId = await world.receive('list.csv', peopleCsv(3))
  const run = await world.app.ledger.findRun(runId)
  await rm(run?.sourcePath ?? '')
  return runId
}

describeWithDatabase('a file that this worker does not see', () => {
  test('is left to another worker, and is refused after ten minutes', async () => {
    await using world = await openWorld()
    const runId = await receiveAndLose(world)
    const among = { ...world.app, exclusive: false }
    expect(await intake(among, { runId })).toEqual({ kind: 'snooze', ms: 5_000, why: 'file-not-here' })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('received')
    await pass(world, 9)
    expect(await intake(among, { runId })).toMatchObject({ kind: 'snooze' })
    await pass(world, 2)
    expect(await intake(among, { runId })).toEqual({ kind: 'done' })
    const refused = await world.app.ledger.findRun(runId)
    expect(refused).toMatchObject({ state: 'refused' })
    expect(refused?.refusal).toContain('list.csv can no longer be read by the worker')
  })

  test('is left to the other one for as long from the first look on, however late that is', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    await pass(world, 11)
    const blind = { ...world.app, exclusive: false, ledger: { ...world.app.ledger, findRun: blindTo(world) } }
    expect(await intake(blind, { runId })).toMatchObject({ kind: 'snooze' })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('received')
    // Whoever sees it and dies over it leaves the next one as long again.
    await pass(world, 9)
    await world.app.ledger.foundRun(runId)
    expect(await world.app.ledger.missRun(runId)).toBeLessThan(60_000)
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect(await world.app.ledger.findRun(runId)).toMatchObject({ state: 'published', accepted: 3 })
  })

  test('is looked for anew when a braked run is let go', async () => {
    await using world = await openWorld({ pipeline: { brake: { rows: 1 } } })
    const runId = await world.receive('list.csv', peopleCsv(3))
    await intake(world.app, { runId })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('braked')
    await world.app.ledger.missRun(runId)
    await pass(world, 11)
    await world.app.ledger.approveRun(runId, { by: 'ada', why: 'she knows' })
    expect(await world.app.ledger.missRun(runId)).toBeLessThan(60_000)
  })

  test('is read by the other one', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    const elsewhere = { ...world.app.ledger, findRun: blindTo(world) }
    const blind = { ...world.app, exclusive: false, ledger: elsewhere }
    expect(await intake(blind, { runId })).toMatchObject({ kind: 'snooze' })
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect(await world.app.ledger.findRun(runId)).toMatchObject({ state: 'published', accepted: 3 })
  })

  test('is refused at once by the only worker there is', async () => {
    await using world = await openWorld()
    const runId = await receiveAndLose(world)
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('refused')
  })
})

describeWithDatabase('a pipeline that this worker does not know', () => {
  const older = (world: World, exclusive = false) => ({ ...world.app, exclusive, pipelines: openPipelines({}) })

  test('leaves its run to another worker, and is refused after ten minutes', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    expect(await intake(older(world), { runId })).toEqual({ kind: 'snooze', ms: 5_000, why: 'pipeline-not-here' })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('received')
    await pass(world, 11)
    expect(await intake(older(world), { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.findRun(runId))?.refusal).toContain('has no pipeline "spring"')
  })

  test('is refused at once by the only worker there is', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    expect(await intake(older(world, true), { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.findRun(runId))?.state).toBe('refused')
  })

  test.each([
    ['two seconds among several', false, 2, 1],
    ['a minute by the only one', true, 60, 0],
  ])('has its batch given back for %s', async (_, exclusive, seconds, told) => {
    await using world = await openWorld()
    const { app } = world
    await intake(app, { runId: await world.receive('list.csv', peopleCsv(3)) })
    const attemptId = await app.ledger.prepareAttempt('spring', 3)
    if (attemptId === null) throw new Error('Nothing is due.')
    const events: string[] = []
    const log = { event: (name: string) => void events.push(name) }
    const verdict = await issue({ ...older(world, exclusive), log }, { attemptId }, new AbortController().signal)
    expect(verdict).toEqual({ kind: 'done' })
    const { rows } = await app.database.query<{ wait: number }>(
      'SELECT extract(epoch FROM max(due_at) - clock_timestamp())::float AS wait FROM issuance',
    )
    expect(rows[0]?.wait).toBeGreaterThan(seconds - 2)
    expect(rows[0]?.wait).toBeLessThanOrEqual(seconds)
    expect(events.filter((name) => name === 'attempt.elsewhere')).toHaveLength(told)
  })
})

/** As a worker on another machine sees the run: its path leads nowhere there. */
function blindTo(world: World) {
  return async (id: string) => {
    const run = await world.app.ledger.findRun(id)
    return run && { ...run, sourcePath: `/nowhere${run.sourcePath}` }
  }
}
