// A ledger that is restored from a backup made before people were forgotten: the worker does not start on it until the
// erasures are requested again.

import { mkdir, readFile, rm, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { intake } from '#jobs/intake.ts'
import { jobActions } from '#jobs/job-actions.ts'
import { carryOutErasures } from '#jobs/privacy/carry-out-erasures.ts'
import { compareErasuresAtStart, recordErasures } from '#jobs/privacy/erasure-record.ts'
import { startWorker } from '#jobs/worker.ts'
import type { App } from '#src/app/app.ts'
import { replayErasures } from '#src/extensions/privacy/commands/forget.ts'
import { erasuresFile } from '#src/extensions/privacy/erasures-file.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { issueList } from '#test/support/revocation-steps.ts'
import { backUpWorld, inAnotherProcess } from '#test/support/rolled-back-world.ts'
import { openWorld, peopleCsv, type World } from '#test/support/world.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const list = `${peopleCsv(3)}broken.example.org,Bea,Broken\n`

async function openListed() {
  const world = await openWorld()
  const run = await issueList(world, 'list.csv', list)
  const text = () => readFile(erasuresFile(world.folder), 'utf8')
  return { world, run, text }
}

const forget = ({ app }: Pick<World, 'app'>, ids: number[], more: Parameters<typeof writeErasure>[1] = {}) =>
  writeErasure(app.ledger, { ids, ...more })

/** Takes in a list without sending anything: a restored ledger has lost the record of calls, and sends nothing. */
async function takeIn(world: World, name: string, text: string): Promise<string> {
  const runId = await world.receive(name, text)
  await intake(world.app, { runId })
  return runId
}

/** Two learners complete the course: the people 50 and 51. */
const ingest = ({ app }: World) =>
  app.ledger.completions.ingest(
    { system: 'campus', pipeline: 'spring', renewAfterMs: null },
    [50, 51].map((n) => ({
      ...{ learner: `vexlogin${n}`, course: 'FIRE-1', completedAt: new Date(n) },
      cells: { e_mail: `person.${n}@example.org`, 'First Name': `Ada${n}`, 'Last Name': 'Lovelace' },
    })),
    'poll',
  )

async function empty(app: App, id: string): Promise<void> {
  while ((await app.ledger.erasures.emptyNext(id)) > 0);
  await app.ledger.erasures.end(id)
}

/** Runs `forget --replay` of another process, while the service names no course. Returns what it prints, with its exit code. */
async function replay(world: World): Promise<string> {
  const output: string[] = []
  const stream = { write: (text: string) => output.push(text) > 0 } as unknown as NodeJS.WriteStream
  const cli = { stderr: stream, stdout: stream, env: { USER: 'ada' }, jobs: jobActions } as unknown as Parameters<
    typeof replayErasures
  >[0]
  await inAnotherProcess(world, async (app) => {
    output.push(`exit ${await replayErasures(cli, app, { yes: true })}`)
  })
  return output.join('')
}

const start = (world: World) =>
  inAnotherProcess(world, async (app) => {
    await using _worker = await startWorker(app)
  })

const erasedIds = async ({ app }: World) =>
  (await app.database.query<{ id: number }>('SELECT issuance_id AS id FROM erased_issuance ORDER BY 1')).rows.map(
    ({ id }) => id,
  )

describeWithDatabase('a ledger that was restored', () => {
  test('to a time before an erasure is refused until the erasure is requested again, under the same id', async () => {
    const { world, run, text } = await openListed()
    await using _ = world
    const backup = await backUpWorld(world)
    const id = await forget(world, [2], { rows: [{ run, row: 5 }] })
    await recordErasures(world.app)
    await empty(world.app, id)
    expect(await text()).not.toMatch(/person|Ada|broken|Bea/)
    await start(world)

    await backup.restore()
    await expect(start(world)).rejects.toThrow(
      new RegExp(`lists an erasure that this ledger lacks, at least in part \\(the first is ${id}, .*forget --replay`),
    )
    expect(await replay(world)).toMatch(
      new RegExp(`Erasure ${id}, of \\d{4}-\\d\\d-\\d\\d: i2, row ${run.slice(0, 8)}:5`),
    )
    expect(await replay(world)).toContain('has every erasure')
    await start(world)
    expect(await erasedIds(world)).toEqual([2])
    const rows = await world.app.database.query('SELECT FROM erased_row WHERE erasure_id = $1', [id])
    expect(rows.rowCount).toBe(1)
    const [listed] = await world.app.ledger.erasures.list()
    expect(listed).toMatchObject({ id, recordedAt: expect.any(Date) })
    expect((await text()).trim().split('\n')).toHaveLength(1)
  })

  test('to a time before the list is refused again once the person is back', async () => {
    const { world } = await openListed()
    await using _ = world
    const backup = await backUpWorld(world)
    const later = await issueList(world, 'later.csv', peopleCsv(1, 50))
    const { rows } = await world.app.database.query<{ id: number }>('SELECT id FROM issuance WHERE run_id = $1', [
      later,
    ])
    const id = await forget(world, [rows[0]?.id ?? 0])
    await recordErasures(world.app)
    await backup.restore()
    expect(await replay(world)).toContain('nothing of it is in this ledger')
    await start(world)
    await empty(world.app, id)
    // As `adopt` does, the list brings the person back, who is known by nothing but the file.
    await takeIn(world, 'again.csv', peopleCsv(1, 50))
    await expect(start(world)).rejects.toThrow(id)
    expect(await replay(world)).toMatch(new RegExp(`Erasure ${id}, .*: i\\d+`))
    await start(world)
    expect(await erasedIds(world)).toHaveLength(1)
    expect(await replay(world)).toContain('has every erasure')
  })

  test('to a time before a release releases the person again, and leaves alone who was issued since', async () => {
    const { world, text } = await openListed()
    await using _ = world
    const backup = await backUpWorld(world)
    const first = await forget(world, [2])
    await recordErasures(world.app)
    await empty(world.app, first)
    const release = await forget(world, [2], { releases: true })
    await recordErasures(world.app)
    await empty(world.app, release)
    // The person is issued again, under the same key, and the worker starts.
    await issueList(world, 'again.csv', peopleCsv(1, 2))
    await start(world)
    expect((await text()).trim().split('\n')).toHaveLength(2)

    await backup.restore()
    expect(await replay(world)).toMatch(new RegExp(`${first}, .*: i2\n.*${release}, .*, with release: i2\n`))
    await empty(world.app, release)
    await start(world)
    const again = await takeIn(world, 'again.csv', peopleCsv(1, 2))
    expect(await world.app.ledger.runs.find(again)).toMatchObject({ accepted: 1 })
    await start(world)
  })

  test('to a time before a completion knows its learner once the erasure is replayed', async () => {
    const { world, text } = await openListed()
    await using _ = world
    const backup = await backUpWorld(world)
    expect(await ingest(world)).toMatchObject({ fresh: 2 })
    const id = await forget(world, [], { completions: [1] })
    await recordErasures(world.app)
    expect(await text()).not.toMatch(/vexlogin|person\.50|Ada50/)
    await backup.restore()
    await expect(start(world)).rejects.toThrow(id)
    await replay(world)
    await start(world)
    await empty(world.app, id)
    expect(await ingest(world)).toMatchObject({ fresh: 1, forgotten: 1 })
  })

  test('to a time at which a completion is known empties it once the erasure is replayed', async () => {
    const { world } = await openListed()
    await using _ = world
    await ingest(world)
    const backup = await backUpWorld(world)
    const id = await forget(world, [], { completions: [1] })
    await recordErasures(world.app)
    await backup.restore()
    expect(await replay(world)).toMatch(new RegExp(`${id}, .*: 1 completion\\n`))
    await empty(world.app, id)
    const { rows } = await world.app.database.query('SELECT cells FROM completion ORDER BY id')
    expect(rows).toMatchObject([{ cells: {} }, { cells: { 'First Name': 'Ada51' } }])
    expect(await ingest(world)).toMatchObject({ same: 1, forgotten: 1 })
  })

  test('to a time before a completion hears of its learner if the erasure was followed by a release', async () => {
    const { world } = await openListed()
    await using _ = world
    const backup = await backUpWorld(world)
    await ingest(world)
    const ids: string[] = []
    for (const releases of [false, true]) {
      const id = await forget(world, [], { completions: [1], releases })
      await recordErasures(world.app)
      await empty(world.app, id)
      ids.push(id)
    }
    await backup.restore()
    await replay(world)
    for (const id of ids) await empty(world.app, id)
    expect(await ingest(world)).toMatchObject({ fresh: 2, forgotten: 0 })
    const list = await takeIn(world, 'list.csv', peopleCsv(2, 50))
    expect(await world.app.ledger.runs.find(list)).toMatchObject({ accepted: 2 })
    await start(world)
  })
})

describeWithDatabase('the list of erasures', () => {
  test('is written once, although the process was killed between the file and the ledger', async () => {
    const { world, text } = await openListed()
    await using _ = world
    await forget(world, [1])
    const erasures = { ...world.app.ledger.erasures, recorded: () => Promise.reject(new Error('killed')) }
    const killed = { ...world.app, ledger: { ...world.app.ledger, erasures } }
    await expect(recordErasures(killed)).rejects.toThrow('killed')
    await recordErasures(world.app)
    expect((await text()).trim().split('\n')).toHaveLength(1)
    expect(await world.app.ledger.erasures.toRecord()).toEqual([])
  })

  test('is read once for all that were requested since', async () => {
    const { world, text } = await openListed()
    await using _ = world
    for (const id of [1, 2]) await forget(world, [id])
    const appended: number[] = []
    const append: typeof world.app.erasuresFile.append = (records) => {
      appended.push(records.length)
      return world.app.erasuresFile.append(records)
    }
    const counted = { ...world.app, erasuresFile: { ...world.app.erasuresFile, append } }
    for (let n = 0; n < 2; n++) await recordErasures(counted)
    expect(appended).toEqual([2])
    expect((await text()).trim().split('\n')).toHaveLength(2)
    expect(await world.app.ledger.erasures.toRecord()).toEqual([])
  })

  test('keeps those waiting that it cannot list, says why, and nothing else', async () => {
    const { world, text } = await openListed()
    await using _ = world
    const listed = await forget(world, [1])
    await recordErasures(world.app)
    const unlisted = await forget(world, [2])
    const line = await text()
    await rm(erasuresFile(world.folder))
    await mkdir(erasuresFile(world.folder))
    await carryOutErasures(world.app)
    const { erasures } = world.app.ledger
    expect(await erasures.open()).toMatchObject([
      {
        id: unlisted,
        waitsFor: expect.stringMatching(
          /erasures\.jsonl cannot be read \(EISDIR\).*Nothing is erased before it is listed there\.$/,
        ),
      },
    ])
    expect((await erasures.list()).map(({ id, endedAt }) => [id, endedAt !== null])).toEqual([
      [unlisted, false],
      [listed, true],
    ])
    await rmdir(erasuresFile(world.folder))
    await writeFile(erasuresFile(world.folder), line)
    await carryOutErasures(world.app)
    expect(await erasures.open()).toEqual([])
  })

  test('is copied to a data directory that lacks it, without those who were released', async () => {
    const { world, text } = await openListed()
    await using _ = world
    const kept = await forget(world, [1])
    const released = await forget(world, [2], { releases: true })
    await recordErasures(world.app)
    for (const id of [kept, released]) await empty(world.app, id)
    const before = (await text()).split('\n')[0]
    await rm(erasuresFile(world.folder))
    await start(world)
    expect((await text()).trim()).toBe(before)
  })

  test('may name other ledgers, and is not trusted if a line cannot be read', async () => {
    const { world, text } = await openListed()
    await using _ = world
    await forget(world, [1])
    await recordErasures(world.app)
    const other = (await text()).replaceAll(world.app.ledger.id, '6f1d2f4e-5b0a-4d1c-9c2e-0a1b2c3d4e5f')
    const path = join(world.folder, 'erasures.jsonl')
    await writeFile(path, other.replace(/"erasure":"[^"]+"/, '"erasure":"6f1d2f4e-5b0a-4d1c-9c2e-000000000000"'))
    await compareErasuresAtStart(world.app)
    // A line that was cut short, of an erasure that nobody will write again.
    await writeFile(path, '{"erasure":"6f1d')
    await expect(compareErasuresAtStart(world.app)).rejects.toThrow(/lines that cannot be read \(the last\)/)
    await forget(world, [2])
    await compareErasuresAtStart(world.app)
  })
})
