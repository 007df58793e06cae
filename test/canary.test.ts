// The first call for a course carries one person alone; after two unknown outcomes in a row the course rests and begins so again.

import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { audit } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv, timesIssued, type World } from './support/world.ts'

const upload = 'quickIssuance/recipients/data/upload'

async function sizesSent({ app }: World): Promise<number[]> {
  const { rows } = await app.database.query<{ size: number }>(
    `SELECT size FROM attempt WHERE phase = 'ended' ORDER BY sending_at`,
  )
  return rows.map((row) => row.size)
}

/** Hands the list over and waits, while a worker runs, until so many of it are issued. */
async function issueAll(world: World, name: string, people: number, from?: number): Promise<void> {
  const runId = await world.receive(name, peopleCsv(people, from))
  await expect
    .poll(async () => (await world.app.ledger.runWithStates(runId))?.states.issued, { timeout: 30_000, interval: 50 })
    .toBe(people)
}

describeWithDatabase('a course', () => {
  test('that was never sent to gets one recipient alone, and whole batches once that was accepted', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 10 } }, invitations: { canary: true } })
    await using _worker = await startWorker(world.app)
    await issueAll(world, 'list.csv', 31)
    expect(await sizesSent(world)).toEqual([1, 10, 10, 10])
    await issueAll(world, 'next.csv', 10, 100)
    expect((await sizesSent(world)).slice(4)).toEqual([10])
  })

  test('rests after two unknown outcomes in a row', async () => {
    await using world = await openWorld({ pipeline: { batch: { size: 10 } }, invitations: { concurrency: 1 } })
    world.wire.spoil(upload, 'lose-answer', 2)
    await world.receive('list.csv', peopleCsv(41))
    await using _worker = await startWorker(world.app)
    await expect.poll(async () => (await world.app.ledger.pauses()).length, { timeout: 20_000, interval: 5 }).toBe(1)
    const [pause] = await world.app.ledger.pauses()
    expect(pause?.reason).toContain('two calls in a row')
  })

  test('that refuses the first two alone rests, instead of refusing a whole list one by one', async () => {
    await using world = await openWorld({ invitations: { canary: true, pause: '1h' } })
    const no = { status: 400, body: '{"status":400,"message":"Template is not usable","payload":{}}' }
    world.wire.spoil(upload, no, 1_000)
    const runId = await world.receive('list.csv', peopleCsv(50))
    await using _worker = await startWorker(world.app)
    await expect.poll(async () => (await world.app.ledger.pauses()).length, { timeout: 20_000, interval: 5 }).toBe(1)
    expect((await world.app.ledger.pauses())[0]?.reason).toContain('refused')
    expect(await world.app.ledger.runWithStates(runId)).toMatchObject({ states: { failed: 2, pending: 48 } })
  })

  test('resumes with one alone, and everybody is issued once through all of it', async () => {
    await using world = await openWorld({
      pipeline: { batch: { size: 10 } },
      invitations: { concurrency: 1, canary: true },
    })
    await using _worker = await startWorker(world.app)
    await issueAll(world, 'first.csv', 1, 900)
    world.wire.spoil(upload, 'lose-answer', 2)
    await issueAll(world, 'list.csv', 41)
    expect(await sizesSent(world)).toEqual([1, 10, 10, 1, 10, 10])
    expect([...timesIssued(world.sandbox).values()].filter((times) => times !== 1)).toEqual([])
    expect(timesIssued(world.sandbox).size).toBe(42)
    await audit(world)
  })
})
