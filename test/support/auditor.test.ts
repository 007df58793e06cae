// Tests the auditor itself: for each promise, it must find a forged breach. The forgeries are made in a transaction
// that is rolled back, or in a copy of the sandbox's records.

import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startWorker } from '#jobs/worker.ts'
import type { HeldRequest } from '#sandboxes/service/open-sandbox.ts'
import type { Database } from '#src/platform/database/database.ts'
import { unmatched } from './audit/bipartite-matching.ts'
import { forged } from './audit/forged-world.ts'
import { forgeries } from './audit/forgeries.ts'
import { audit, auditCounts, type Findings, findBreaches, recordResultsFiles, replayEverything } from './auditor.ts'
import { describeWithDatabase } from './database.ts'
import { openWorld, peopleCsv, type World } from './world.ts'

/** Rows 1 to 4 are issued, the certification body rejects row 5, row 6 fails at the service, and row 7 is refused. */
const list = `${peopleCsv(4)}reject.5@example.org,Ada5,Lovelace\nfail.6@example.org,Ada6,Lovelace\nrefused.7@example.org,Ada7,Lovelace\n`

const noFindings: Findings = {
  'issued twice': [],
  'I1 sent without permission': [],
  'I2 claimed twice': [],
  'I3 final without a cause': [],
  'I4 not in one state at a time': [],
  'I4 counted wrongly': [],
  'I4 unfinished and never due': [],
  'I5 false results': [],
  "I6 somebody else's credential": [],
  'I8 settled but never delivered': [],
  lost: [],
}

describeWithDatabase('the auditor', () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld({ pipeline: { batch: { size: 4 } }, invitations: { concurrency: 1 } })
    recordResultsFiles(world)
    world.wire.spoilIfBody('quickIssuance', 'refused.7@', {
      status: 400,
      body: '{"status":400,"message":"Recipient refused","payload":{}}',
    })
    const runId = await world.receive('list.csv', list)
    await using _worker = await startWorker(world.app)
    await vi.waitFor(async () => {
      expect((await world.app.ledger.runs.withStates(runId))?.states).toMatchObject({
        issued: 4,
        rejected: 1,
        failed: 2,
      })
      expect((await world.app.database.query('SELECT FROM write_back WHERE written = wanted')).rowCount).toBe(1)
    }, 240_000)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('finds nothing in a correct world', async () => {
    await audit(world)
    expect(await auditCounts(world)).toEqual({ issued: 4, held: 0, lost: 0, twice: 0, wrongPerson: 0, falseResults: 0 })
  })

  test.each(forgeries)('finds %s', async (_what, promise, forgery) => {
    const findings = await forged(world, forgery, findBreaches)
    expect(findings[promise]).not.toEqual([])
    expect(Object.keys(findings)).toEqual(Object.keys(noFindings))
  })

  test('fails a test and lists all findings', async () => {
    const doubled = forged(world, { requests: (all) => [...all, ...all] }, audit)
    await expect(doubled).rejects.toMatchObject({
      actual: { 'issued twice': expect.arrayContaining([expect.stringContaining('person.3@example.org: 2')]) },
    })
  })

  test('counts its findings', async () => {
    const forgery = {
      sql: `UPDATE issuance SET state = 'held' WHERE id = 1; UPDATE report_claim SET item_key = 'x' WHERE issuance_id = 2`,
      requests: ([, , , fourth, ...more]: HeldRequest[]) => [fourth as HeldRequest, fourth as HeldRequest, ...more],
    }
    const counts = await forged(world, forgery, auditCounts)
    expect(counts).toEqual({ issued: 1, held: 1, lost: 3, twice: 1, wrongPerson: 2, falseResults: expect.any(Number) })
  })

  test('also compares earlier results files', async () => {
    const { ledger, database } = world.app
    const { rows } = await database.query<{ id: string; path: string }>('SELECT id, results_path AS path FROM run')
    const [run] = rows
    const early = join(world.folder, 'early.csv')
    await writeFile(early, 'e_mail,status,credential_id\na@example.org,issued,1\n')
    await ledger.runs.notePaths(run?.id ?? '', { results: early })
    await ledger.runs.notePaths(run?.id ?? '', { results: run?.path ?? '' })
    expect((await findBreaches(world))['I5 false results']).toEqual([
      'list.csv: the results file does not have exactly one line per row',
    ])
    recordResultsFiles(world)
    await audit(world)
  })

  test('replays every job without finding a change', async () => {
    await replayEverything(world)
  })

  test('reports a replayed job that sends', async () => {
    const { database } = world.app
    await withoutTriggers(database, `UPDATE issuance SET state = 'pending', due_at = now() WHERE id = 7`)
    await withoutTriggers(database, 'UPDATE run SET settled_at = NULL')
    await expect(replayEverything(world)).rejects.toThrow()
  })
})

test('pairs an early call with another partner if a later call needs its first one', () => {
  expect(unmatched([[0, 1], [0]])).toEqual([])
  expect(unmatched([[0], [0], [1]])).toEqual([1])
})

async function withoutTriggers(database: Database, statement: string): Promise<void> {
  await database.transaction(async (sql) => {
    await sql.query('SET LOCAL session_replication_role = replica')
    await sql.query(statement)
  })
}
