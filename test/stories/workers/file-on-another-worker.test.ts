// A run that one of several workers cannot read, because that worker has no access to the file or does not have the
// pipeline, is left to another worker. It is refused only if no worker can read it.

import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { issue } from '#jobs/issue.ts'
import { openPipelines } from '#src/issuing/pipelines/pipelines.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openRecordedLog } from '#test/support/recorded-log.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

/**
 * Simulates that this many minutes have passed since the run was received and since a worker first failed to read it.
 */
const passMinutes = (world: World, minutes: number) =>
  world.app.database.query(
    'UPDATE run SET received_at = received_at - make_interval(mins => $1), missed_at = missed_at - make_interval(mins => $1)',
    [minutes],
  )

async function ledgerTime({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ now: Date }>('SELECT clock_timestamp() AS now')
  return rows[0]?.now.getTime() ?? Number.NaN
}

async function receiveAndLose(world: World): Promise<string> {
  const runId = await world.receive('list.csv', peopleCsv(3))
  const run = await world.app.ledger.runs.find(runId)
  await rm(run?.sourcePath ?? '')
  return runId
}

describeWithDatabase('a file that this worker cannot read', () => {
  test('is left to another worker, and is refused after ten minutes', async () => {
    await using world = await openWorld()
    const runId = await receiveAndLose(world)
    const log = openRecordedLog()
    const oneOfSeveral = { ...world.app, exclusive: false, log }
    expect(await intake(oneOfSeveral, { runId })).toEqual({ kind: 'snooze', ms: 5_000, why: 'file-not-here' })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('received')
    await passMinutes(world, 9)
    expect(await intake(oneOfSeveral, { runId })).toMatchObject({ kind: 'snooze' })
    await passMinutes(world, 2)
    expect(await intake(oneOfSeveral, { runId })).toEqual({ kind: 'done' })
    const refused = await world.app.ledger.runs.find(runId)
    expect(refused).toMatchObject({ state: 'refused' })
    expect(refused?.refusal).toContain('list.csv can no longer be read by the worker')
    const about = { run: runId, pipeline: 'spring' }
    const elsewhere = ['run.elsewhere', { ...about, reason: 'file-not-here' }]
    expect(log.lines).toEqual([elsewhere, elsewhere, ['run.refused', { ...about, error: 'SourceMissingError' }]])
  })

  test('is left to another worker for ten minutes after the first attempt, however late that is', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    await passMinutes(world, 11)
    const withoutFile = { ...world.app, exclusive: false, ledger: ledgerWithoutFile(world) }
    expect(await intake(withoutFile, { runId })).toMatchObject({ kind: 'snooze' })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('received')
    // After a worker that can read the file has crashed, the full time starts again.
    await passMinutes(world, 9)
    await world.app.ledger.runs.noteReadable(runId)
    expect(await world.app.ledger.runs.noteUnreadable(runId)).toBeLessThan(60_000)
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect(await world.app.ledger.runs.find(runId)).toMatchObject({ state: 'published', accepted: 3 })
  })

  test('is again searched for the full time when its run is released from the brake', async () => {
    await using world = await openWorld({ pipeline: { brake: { rows: 1 } } })
    const runId = await world.receive('list.csv', peopleCsv(3))
    await intake(world.app, { runId })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('braked')
    await world.app.ledger.runs.noteUnreadable(runId)
    await passMinutes(world, 11)
    await world.app.ledger.brake.approve(runId, { by: 'ada', why: 'she knows' })
    expect(await world.app.ledger.runs.noteUnreadable(runId)).toBeLessThan(60_000)
  })

  test('is read by the other worker', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    const withoutFile = { ...world.app, exclusive: false, ledger: ledgerWithoutFile(world) }
    expect(await intake(withoutFile, { runId })).toMatchObject({ kind: 'snooze' })
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect(await world.app.ledger.runs.find(runId)).toMatchObject({ state: 'published', accepted: 3 })
  })

  test('is refused immediately by the only worker', async () => {
    await using world = await openWorld()
    const runId = await receiveAndLose(world)
    expect(await intake(world.app, { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('refused')
  })
})

describeWithDatabase('a run whose pipeline this worker does not have', () => {
  const withoutPipeline = (world: World, exclusive = false) => ({
    ...world.app,
    exclusive,
    pipelines: openPipelines({}),
  })

  test('is left to another worker, and is refused after ten minutes', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    expect(await intake(withoutPipeline(world), { runId })).toEqual({
      kind: 'snooze',
      ms: 5_000,
      why: 'pipeline-not-here',
    })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('received')
    await passMinutes(world, 11)
    expect(await intake(withoutPipeline(world), { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.runs.find(runId))?.refusal).toContain('has no pipeline "spring"')
  })

  test('is refused immediately by the only worker', async () => {
    await using world = await openWorld()
    const runId = await world.receive('list.csv', peopleCsv(3))
    expect(await intake(withoutPipeline(world, true), { runId })).toEqual({ kind: 'done' })
    expect((await world.app.ledger.runs.find(runId))?.state).toBe('refused')
  })

  test.each([
    ['two seconds by one of several workers', false, 2, 1],
    ['a minute by the only worker', true, 60, 0],
  ])('has its batch postponed for %s', async (_, exclusive, seconds, logged) => {
    await using world = await openWorld()
    const { app } = world
    await intake(app, { runId: await world.receive('list.csv', peopleCsv(3)) })
    const attemptId = await prepareOne(app.ledger, 'spring', 3)
    if (attemptId === null) throw new Error('Nothing is due.')
    const events: string[] = []
    const log = { event: (name: string) => void events.push(name) }
    const before = await ledgerTime(world)
    const verdict = await issue(
      { ...withoutPipeline(world, exclusive), log },
      { attemptId },
      new AbortController().signal,
    )
    expect(verdict).toEqual({ kind: 'done' })
    const { rows } = await app.database.query<{ due: Date }>('SELECT max(due_at) AS due FROM issuance')
    const due = rows[0]?.due.getTime()
    expect(due).toBeGreaterThanOrEqual(before + seconds * 1_000)
    expect(due).toBeLessThanOrEqual((await ledgerTime(world)) + seconds * 1_000)
    expect(events.filter((name) => name === 'attempt.elsewhere')).toHaveLength(logged)
  })
})

/** Returns the ledger as a worker on another machine uses it: the path of the run's file does not exist there. */
function ledgerWithoutFile({ app: { ledger } }: World) {
  const find = async (id: string) => {
    const run = await ledger.runs.find(id)
    return run && { ...run, sourcePath: `/nowhere${run.sourcePath}` }
  }
  return { ...ledger, runs: { ...ledger.runs, find } }
}
