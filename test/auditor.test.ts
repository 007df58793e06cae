// An auditor that cannot fail proves nothing: for each promise a forged breach that it must name. The forgeries are made in a transaction
// that is rolled back, or in a copy of the sandbox's book.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import type { Database } from '#src/database/database.ts'
import type { HeldRequest } from '#src/sandbox/open-sandbox.ts'
import { forged } from './support/audit/forged.ts'
import { forgeries } from './support/audit/forgeries.ts'
import { pair } from './support/audit/pair.ts'
import { audit, auditCounts, type Findings, findBreaches, recordTold, replayEverything } from './support/auditor.ts'
import { describeWithDatabase } from './support/database.ts'
import { openWorld, peopleCsv, type World } from './support/world.ts'

/** Rows 1 to 4 are issued, the fifth is rejected by the certification body, the sixth failed at the service, the seventh was refused. */
const list = `${peopleCsv(4)}reject.5@example.org,Ada5,Lovelace\nfail.6@example.org,Ada6,Lovelace\nrefused.7@example.org,Ada7,Lovelace\n`

const clean: Findings = {
  'issued twice': [],
  'I1 sent without a right to': [],
  'I2 claimed twice': [],
  'I3 final without a cause': [],
  'I4 not in one state at a time': [],
  'I4 unfinished, and nobody will look': [],
  'I5 told what is not so': [],
  "I6 somebody else's credential": [],
  'I8 settled, and nobody will tell': [],
  lost: [],
}

describeWithDatabase('the auditor', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ pipeline: { batch: { size: 4 } }, invitations: { concurrency: 1 } })
    recordTold(world)
    world.wire.spoilIfBody('quickIssuance', 'refused.7@', {
      status: 400,
      body: '{"status":400,"message":"Recipient refused","payload":{}}',
    })
    const runId = await world.receive('list.csv', list)
    await using _worker = await startWorker(world.app)
    await vi.waitFor(async () => {
      expect((await world.app.ledger.runWithStates(runId))?.states).toMatchObject({ issued: 4, rejected: 1, failed: 2 })
      expect((await world.app.database.query('SELECT FROM write_back WHERE told = wanted')).rowCount).toBe(1)
    }, 20_000)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('finds nothing in a world that went well', async () => {
    await audit(world)
    expect(await auditCounts(world)).toEqual({ issued: 4, held: 0, lost: 0, twice: 0, wrongPerson: 0, mistold: 0 })
  })

  test.each(forgeries)('finds %s', async (_what, promise, forgery) => {
    const findings = await forged(world, forgery, findBreaches)
    expect(findings[promise]).not.toEqual([])
    expect(Object.keys(findings)).toEqual(Object.keys(clean))
  })

  test('fails a test with all that it found', async () => {
    const twice = forged(world, { book: (all) => [...all, ...all] }, audit)
    await expect(twice).rejects.toMatchObject({
      actual: { 'issued twice': expect.arrayContaining([expect.stringContaining('person.3@example.org: 2')]) },
    })
  })

  test('counts what it found', async () => {
    const forgery = {
      sql: `UPDATE issuance SET state = 'held' WHERE id = 1; UPDATE claim SET item_key = 'x' WHERE issuance_id = 2`,
      book: ([, , , fourth, ...more]: HeldRequest[]) => [fourth as HeldRequest, fourth as HeldRequest, ...more],
    }
    const counts = await forged(world, forgery, auditCounts)
    expect(counts).toEqual({ issued: 1, held: 1, lost: 3, twice: 1, wrongPerson: 2, mistold: expect.any(Number) })
  })

  test('knows what the source was told before the last file', async () => {
    const { ledger, database } = world.app
    const { rows } = await database.query<{ id: string; path: string }>('SELECT id, results_path AS path FROM run')
    const [run] = rows
    const early = join(world.folder, 'early.csv')
    await writeFile(early, 'e_mail,status,credential_id\na@example.org,issued,1\n')
    await ledger.noteRunPaths(run?.id ?? '', { results: early })
    await ledger.noteRunPaths(run?.id ?? '', { results: run?.path ?? '' })
    expect((await findBreaches(world))['I5 told what is not so']).toEqual([
      'list.csv: a results file that has not one line for each row',
    ])
    recordTold(world)
    await audit(world)
  })

  test('does every job again, and nothing comes of it', async () => {
    await replayEverything(world)
  })

  test('notices when a replayed job sends', async () => {
    const { database } = world.app
    await withoutTriggers(database, `UPDATE issuance SET state = 'pending', due_at = now() WHERE id = 7`)
    await expect(replayEverything(world)).rejects.toThrow()
  })
})

test('a pairing lets an early call give way to a later one', () => {
  expect(pair([[0, 1], [0]])).toEqual([])
  expect(pair([[0], [0], [1]])).toEqual([1])
})

async function withoutTriggers(database: Database, statement: string): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query(statement)
  })
}
