// A file that one of several workers does not see: it is left to another, and refused only when nobody found it.

import { rm } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { systemClock } from '#src/time/clock.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv, type World } from './support/world.ts'

const later = (minutes: number) => ({
  ...systemClock,
  now: () => new Date(systemClock.now().getTime() + minutes * 60_000),
})

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
    expect(await intake({ ...among, clock: later(9) }, { runId })).toMatchObject({ kind: 'snooze' })
    expect(await intake({ ...among, clock: later(11) }, { runId })).toEqual({ kind: 'done' })
    const refused = await world.app.ledger.findRun(runId)
    expect(refused).toMatchObject({ state: 'refused' })
    expect(refused?.refusal).toContain('list.csv can no longer be read by the worker')
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

/** As a worker on another machine sees the run: its path leads nowhere there. */
function blindTo(world: World) {
  return async (id: string) => {
    const run = await world.app.ledger.findRun(id)
    return run && { ...run, sourcePath: `/nowhere${run.sourcePath}` }
  }
}
