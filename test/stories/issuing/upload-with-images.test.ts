// Upload mode from end to end: a ZIP of people with images goes through the whole worker in batches, and each person
// gets their own image.

import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import { checkPipeline } from '#src/check/check-pipeline.ts'
import { audit } from '#test/support/auditor.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aPng, imageOf, peopleZip, zipOfList } from '#test/support/portraits.ts'
import { openWorld, peopleCsv, timesIssued, type World } from '#test/support/world.ts'

const path = 'quickIssuance/recipients/data/upload'
const upload = { batch: { size: 5, mode: 'upload' } }

async function untilIssued({ app }: World, runId: string, people: number): Promise<void> {
  await expect
    .poll(async () => (await app.ledger.runs.withStates(runId))?.states.issued, { timeout: 240_000, interval: 100 })
    .toBe(people)
}

/** Returns the number of each person in the sandbox, with the hash of the image that the sandbox received. */
function imagesReceived({ sandbox }: World): Map<number, string | null> {
  return new Map(
    sandbox.requests().map(({ student, image }) => [Number(/\d+/.exec(String(student.Email))?.[0]), image]),
  )
}

async function keptImages({ app }: World): Promise<number> {
  const { rows } = await app.database.query<{ count: number }>('SELECT count(*) AS count FROM image')
  return rows[0]?.count ?? 0
}

describeWithDatabase('a pipeline that uploads', () => {
  test('sends a ZIP of twelve people in batches of five, and issues each person one credential with their own image', async () => {
    await using world = await openWorld({ pipeline: upload })
    const runId = await world.receive('spring.zip', peopleZip(1, 12, { 'spare.png': aPng('nobody') }))
    await using _worker = await startWorker(world.app)
    await untilIssued(world, runId, 12)
    expect([...imagesReceived(world)].toSorted(([a], [b]) => a - b)).toEqual(
      Array.from({ length: 12 }, (_, index) => [index + 1, hash('sha256', imageOf(index + 1))]),
    )
    expect([...timesIssued(world.sandbox).values()].every((times) => times === 1)).toBe(true)
    expect(world.wire.seen.filter((each) => each.includes(path))).toHaveLength(3)
    expect(world.wire.seen.filter((each) => each.includes('sample-sheet'))).toHaveLength(1)
    const run = await world.app.ledger.runs.find(runId)
    expect(run?.notices).toContain('1 image is not named by any row and will not be sent: “spare.png”.')
    const people = world.sandbox.requests().map(({ student }) => student)
    expect(people).toContainEqual({
      Email: 'person.7@example.org',
      'First Name': 'Ada7',
      'Last Name': 'Lovelace',
      'Primary Value': 'Email',
    })
    await audit(world)
    await expect.poll(() => keptImages(world), { timeout: 240_000, interval: 100 }).toBe(0)
  })

  test('halves a batch that is too large, and resolves a lost answer by the report, as in data mode', async () => {
    await using world = await openWorld({
      pipeline: upload,
      sandbox: { faults: { tooLarge: { recipients: 3 } } },
      invitations: { concurrency: 1 },
    })
    await using _worker = await startWorker(world.app)
    const first = await world.receive('spring.zip', peopleZip(1, 5))
    await untilIssued(world, first, 5)
    world.wire.spoil(path, 'lose-answer')
    const second = await world.receive('summer.zip', peopleZip(21, 22))
    await untilIssued(world, second, 2)
    expect([...timesIssued(world.sandbox).values()]).toEqual(Array(7).fill(1))
    expect(imagesReceived(world).get(22)).toBe(hash('sha256', imageOf(22)))
    await audit(world)
  })

  test('sends a plain list as a plain workbook', async () => {
    await using world = await openWorld({ pipeline: upload })
    const runId = await world.receive('list.csv', peopleCsv(6))
    await using _worker = await startWorker(world.app)
    await untilIssued(world, runId, 6)
    expect([...imagesReceived(world).values()]).toEqual(Array(6).fill(null))
  })

  test('refuses a row without its image and issues the others', async () => {
    await using world = await openWorld({ pipeline: { batch: { mode: 'upload', imageColumn: 'photo' } } })
    const list =
      'e_mail,First Name,Last Name,Photo\na@example.org,A,L,a.png\nb@example.org,B,L,b.png\nc@example.org,C,L,\n'
    const runId = await world.receive('spring.zip', zipOfList(list, { 'a.png': aPng('a') }))
    await using _worker = await startWorker(world.app)
    await untilIssued(world, runId, 1)
    expect(await world.app.ledger.runs.find(runId)).toMatchObject({ rows: 3, invalid: 2, accepted: 1 })
  })

  test('refuses a file whose fields or images have no column in the sample sheet, and sends nothing', async () => {
    await using world = await openWorld({ pipeline: { ...upload, course: undefined, courseNumber: 'SAFE-2' } })
    const runId = await world.receive('spring.zip', peopleZip(1, 2))
    await using _worker = await startWorker(world.app)
    await expect
      .poll(async () => (await world.app.ledger.runs.find(runId))?.state, { timeout: 240_000, interval: 100 })
      .toBe('refused')
    const run = await world.app.ledger.runs.find(runId)
    expect(run?.refusal).toContain("has no column for each person's image. It has: Email *, First Name *")
    expect(world.sandbox.requests()).toEqual([])
  })

  test('is checked before there is a file if its configuration names the image column', async () => {
    const batch = { mode: 'upload', imageColumn: 'Photo' }
    await using world = await openWorld({ pipeline: { batch, course: undefined, courseNumber: 'SAFE-2' } })
    const found = await checkPipeline(world.app, 'spring')
    const faults = found.filter(({ ok }) => !ok)
    expect(faults.find(({ name }) => name === 'sample sheet')?.what).toContain(
      "has no column for each person's image. It has: Email *, First Name *",
    )
    await using fitting = await openWorld({ pipeline: { batch } })
    expect((await checkPipeline(fitting.app, 'spring')).filter(({ ok }) => !ok)).toEqual([])
  })
})
