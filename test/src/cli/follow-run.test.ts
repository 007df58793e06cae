// When `issue` stops following its run, although the run is not finished.

import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { type FollowOptions, followRun } from '#src/cli/follow-run.ts'
import { stopSending } from '#src/ledger/attempts/commit-claim.ts'
import { systemClock } from '#src/platform/time/clock.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'

/** Opens a world with a run of three rows, which no worker sends. */
async function openUnsentRun() {
  const world = await openWorld()
  const runId = await world.receive('list.csv', peopleCsv(3))
  await intake(world.app, { runId })
  return { world, runId }
}

/** Follows the run on a clock that a sleep moves forward, with a worker of its own that does nothing. */
async function follow({ app }: World, runId: string, options: Partial<FollowOptions> = {}) {
  let nowMs = 0
  const clock = {
    ...systemClock,
    monotonicMs: () => nowMs,
    sleep: async (ms: number) => {
      nowMs += ms
    },
  }
  const followed = await followRun(
    { ...app, clock },
    {
      runId,
      untilFinal: false,
      timeoutMs: 3_600_000,
      signal: new AbortController().signal,
      progress: { show: () => {}, end: () => {} },
      own: { lost: new Promise(() => {}) },
      takeOver: async () => null,
      ...options,
    },
  )
  return { ...followed, tookMs: nowMs }
}

describeWithDatabase('a run that is not finished is followed until', () => {
  test('its timeout expires', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    const { ending, tookMs, states } = await follow(world, runId, { timeoutMs: 10_000 })
    expect([ending, states.pending]).toEqual(['timeout', 3])
    expect(tookMs).toBeGreaterThanOrEqual(10_000)
  })

  test('sending is stopped', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    const { database, ledger } = world.app
    await database.transaction((sql) => stopSending(sql, ledger.environment, 'a test stopped it'))
    expect((await follow(world, runId)).ending).toBe('stopped')
    // Also if every row is to become final.
    expect((await follow(world, runId, { untilFinal: true })).ending).toBe('stopped')
  })

  test('its course cannot issue, unless every row is to become final', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    const [course] = world.sandbox.courses
    await world.app.ledger.courses.pause(course?.uuid ?? '', 'the course is not approved', 3_600_000)
    expect((await follow(world, runId)).ending).toBe('course waits')
    expect((await follow(world, runId, { untilFinal: true, timeoutMs: 5_000 })).ending).toBe('timeout')
  })

  test('the service has not answered for a while', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    const fault = new Error('planted')
    const checkToken = () => Promise.reject(fault)
    const app = { ...world.app, issuer: { ...world.app.issuer, checkToken } }
    expect(await follow({ ...world, app }, runId)).toMatchObject({ ending: 'service away', fault })
    // A worker that is another process has its own answer to that.
    expect((await follow({ ...world, app }, runId, { own: null, timeoutMs: 60_000 })).ending).toBe('timeout')
  })

  test('its own worker is displaced, or reports an error', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    expect((await follow(world, runId, { own: { lost: Promise.resolve(undefined) } })).ending).toBe('lost')
    const error = new Error('a newer version')
    await expect(follow(world, runId, { own: { lost: Promise.resolve(error) } })).rejects.toBe(error)
  })

  test('it is interrupted', async () => {
    const { world, runId } = await openUnsentRun()
    await using _closing = world
    expect((await follow(world, runId, { signal: AbortSignal.abort() })).ending).toBe('interrupted')
  })
})
