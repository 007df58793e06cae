// The ledger's metrics, compared with the contents of its tables.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { readWholeMetrics, type WholeMetrics } from '#src/app/whole-metrics.ts'
import type { State } from '#src/domain/credential/state.ts'
import { type ConfiguredLearning, readLearningMetrics } from '#src/extensions/lms/ledger/learning-metrics.ts'
import type { Database } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, otherCourse, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

const paths: Partial<Record<State, State[]>> = {
  sending: ['sending'],
  unconfirmed: ['sending', 'unconfirmed'],
  requested: ['sending', 'requested'],
  in_progress: ['sending', 'requested', 'in_progress'],
  issued: ['sending', 'requested', 'in_progress', 'issued'],
  rejected: ['sending', 'requested', 'in_progress', 'rejected'],
  failed: ['sending', 'failed'],
  held: ['sending', 'unconfirmed', 'held'],
  revoked: ['sending', 'requested', 'in_progress', 'issued', 'revoked'],
}

/**
 * Moves the next `count` pending rows of a run to a state, step by step, because the ledger allows only listed steps.
 */
async function moveTo(database: Database, run: string, state: State, count: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `SELECT id FROM issuance WHERE run_id = $1 AND state = 'pending' ORDER BY id LIMIT $2`,
    [run, count],
  )
  const ids = rows.map((row) => row.id)
  for (const step of paths[state] ?? [])
    await database.query(
      `UPDATE issuance SET state = $2, credential_id = CASE WHEN $2 = 'issued' THEN 'C-' || id ELSE credential_id END WHERE id = ANY($1)`,
      [ids, step],
    )
  return ids
}

const rowsByState: Partial<Record<State, number>> = {
  sending: 1,
  unconfirmed: 2,
  requested: 3,
  in_progress: 1,
  issued: 7,
  rejected: 2,
  failed: 3,
  held: 1,
  revoked: 2,
}

const rowsIn = (metrics: WholeMetrics, pipeline: string) =>
  Object.fromEntries(metrics.rows.filter((row) => row.pipeline === pipeline).map((row) => [row.state, row.rows]))

const isNear = (value: number | null | undefined, wanted: number) => Math.abs((value ?? Number.NaN) - wanted) < 30

async function openFilled(): Promise<TestLedger & { run: string }> {
  const testLedger = await openTestLedger()
  const run = await testLedger.publish(recipients(30), { more: [aBadRow(90)] })
  for (const [state, count] of Object.entries(rowsByState))
    await moveTo(testLedger.database, run, state as State, count)
  return Object.assign(testLedger, { run })
}

describeWithDatabase('metrics of the ledger', () => {
  test('show how many rows of each pipeline are in each state, equal to a count of the whole table', async () => {
    await using testLedger = await openFilled()
    const autumn = await testLedger.publish(recipients(4), { pipeline: 'autumn', course: otherCourse })
    await moveTo(testLedger.database, autumn, 'issued', 1)
    const production = await openWholeLedger(testLedger.database, 'production')
    const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: 'b' }
    await production.runs.receive(source)

    const metrics = await readWholeMetrics(testLedger.database, 'development')
    expect(rowsIn(metrics, 'spring')).toEqual({ ...rowsByState, pending: 8 })
    expect(rowsIn(metrics, 'autumn')).toEqual({ pending: 3, issued: 1 })
    const { rows } = await testLedger.database.query<{ state: string; rows: number }>(
      `SELECT state, count(*) AS rows FROM issuance WHERE pipeline = 'spring' GROUP BY state`,
    )
    expect(rowsIn(metrics, 'spring')).toEqual(Object.fromEntries(rows.map((row) => [row.state, row.rows])))
    expect(rowsIn(await readWholeMetrics(testLedger.database, 'production'), 'spring')).toEqual({ issued: 0 })
  })

  test('show how many rows are due, and how long the oldest has been waiting', async () => {
    await using testLedger = await openFilled()
    await testLedger.database.query(
      `UPDATE issuance SET due_at = 'infinity' WHERE id = (SELECT max(id) FROM issuance WHERE state = 'pending')`,
    )
    // The time in a state is counted from the last change of state, not from the last update of the row.
    await testLedger.database.query(
      `UPDATE issuance SET state_since = state_since - interval '2 hours' WHERE id = (SELECT max(id) FROM issuance WHERE state = 'unconfirmed')`,
    )
    await testLedger.database.query(`UPDATE run SET published_at = published_at - interval '3 hours'`)
    const metrics = await readWholeMetrics(testLedger.database, 'development')
    const rowOf = (state: State) => metrics.rows.find((row) => row.state === state)
    expect([rowOf('pending')?.due, rowOf('requested')?.due]).toEqual([7, 0])
    expect([isNear(rowOf('unconfirmed')?.inStateS, 7_200), isNear(rowOf('requested')?.inStateS, 0)]).toEqual([
      true,
      true,
    ])
    expect([isNear(rowOf('pending')?.oldestS, 10_800), isNear(rowOf('held')?.oldestS, 10_800)]).toEqual([true, true])
    expect(rowOf('issued')).toMatchObject({ inStateS: null, oldestS: null })
  })

  test('show the runs of each state', async () => {
    await using testLedger = await openFilled()
    const source = (name: string) => ({
      pipeline: 'spring',
      sourceName: name,
      sourcePath: `/${name}`,
      sourceSha256: name,
    })
    await testLedger.ledger.runs.receive(source('waiting'))
    const { run: refused } = await testLedger.ledger.runs.receive(source('refused'))
    await testLedger.ledger.runs.refuse(refused.id, 'no')
    const { run: braked } = await testLedger.ledger.runs.receive(source('braked'))
    await testLedger.database.query(
      `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = 9, braked_because = 'too many' WHERE id = $1`,
      [braked.id],
    )
    const settled = await testLedger.publish(recipients(1, 500), { pipeline: 'autumn' })
    await moveTo(testLedger.database, settled, 'issued', 1)
    await testLedger.ledger.runs.settle()
    await testLedger.ledger.writeBacks.want(testLedger.run)
    await testLedger.ledger.writeBacks.noteReported(
      testLedger.run,
      (await testLedger.ledger.writeBacks.wantedVersion(testLedger.run)) ?? 0,
    )
    const { runs, due } = await readWholeMetrics(testLedger.database, 'development')
    expect(new Set(runs)).toEqual(
      new Set([
        { pipeline: 'spring', state: 'received', runs: 1 },
        { pipeline: 'spring', state: 'refused', runs: 1 },
        { pipeline: 'spring', state: 'braked', runs: 1 },
        { pipeline: 'spring', state: 'open', runs: 1 },
        { pipeline: 'autumn', state: 'settled', runs: 1 },
      ]),
    )
    // The results of the settled run have to be written, those of the open run are written already, and the received
    // run has to be read.
    expect(due).toMatchObject({ intake: 1, 'write-back': 1 })
  })

  test('show what is pending for learning systems, and nothing that is done', async () => {
    await using testLedger = await openFilled()
    const { ledger, database } = testLedger
    const sent = (key: string) => ({ system: 'hooks', key, headers: {}, body: Buffer.from('{}') })
    await ledger.inboundEvents.keep([sent('0a'), sent('0b'), sent('0c'), sent('0d')])
    for (const { id } of await ledger.inboundEvents.unprocessed('hooks', 3))
      await ledger.inboundEvents.noteProcessed(
        id,
        id === 3 ? { kind: 'processed' } : { kind: 'strange', problem: 'It is strange.' },
      )
    const completion = { learner: '3', course: 'FIRE-1', completedAt: new Date(0), cells: {} }
    await ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null }, [completion], 'poll')
    await ledger.learningSystems.register(['campus', 'never'])
    await ledger.learningSystems.notePolled('campus', { nextAt: new Date(), fullPollAt: null, problem: null })
    await database.query(`UPDATE learning_system SET polled_at = polled_at - interval '1 hour'`)
    const [target, states] = ['moodle-profile campus', ['pending', 'written', 'verified', 'drifted', 'failed']]
    await database.query(
      `INSERT INTO delivery (issuance_id, target, wanted, state, wanted_at)
       SELECT i.id, $1, 'issued', t.state, clock_timestamp() - interval '2 hours' FROM unnest($2::text[]) WITH ORDINALITY t(state, n)
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM issuance) i USING (n)`,
      [target, states],
    )
    const { learning } = await readWholeMetrics(database, 'development')
    expect(learning).toEqual({
      inboundEvents: expect.arrayContaining([
        { system: 'hooks', state: 'new', events: 1 },
        { system: 'hooks', state: 'strange', events: 2 },
      ]),
      completions: [{ pipeline: 'spring', completions: 1 }],
      systems: expect.arrayContaining([
        { system: 'campus', polledAgoS: expect.closeTo(3_600, -2) },
        { system: 'never', polledAgoS: null },
      ]),
      deliveries: expect.arrayContaining(
        ['pending', 'drifted', 'failed'].map((state) => ({ target, state, deliveries: 1 })),
      ),
      oldestPending: [{ target, oldestS: expect.closeTo(7_200, -2) }],
    })
    expect([learning.inboundEvents.length, learning.deliveries.length]).toEqual([2, 3])
    expect((await readWholeMetrics(database, 'production')).learning.deliveries).toEqual([])
    // Systems and targets that are no longer in the configuration are not counted.
    const shown = async (configured: ConfiguredLearning) => {
      const metrics = await readLearningMetrics(database, 'development', configured)
      return [metrics.inboundEvents.length, metrics.deliveries.length, metrics.oldestPending.length]
    }
    expect(await shown({ systems: ['hooks'], targets: [{ pipeline: 'spring', name: target }] })).toEqual([2, 3, 1])
    expect(await shown({ systems: ['campus'], targets: [{ pipeline: 'autumn', name: target }] })).toEqual([0, 0, 0])
    expect(await shown({ systems: [], targets: [{ pipeline: 'spring', name: 'hooks' }] })).toEqual([0, 0, 0])
  })

  test('show prepared batches and batches being sent, and how far the report is behind', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(10))
    const [earlier, first, second, third] = [
      await testLedger.send(1),
      await testLedger.send(2),
      await testLedger.send(2),
      await testLedger.send(2),
    ]
    const accepted = { class: 'accepted' as const, status: 200 }
    for (const attempt of [earlier, first, second]) await testLedger.answer(attempt, accepted)
    await prepareOne(testLedger.ledger, 'spring', 2)
    const before = await readWholeMetrics(testLedger.database, 'development')
    expect(before).toMatchObject({ due: { issue: 1, reconcile: 0 }, sending: 1 })
    expect(before.report).toMatchObject({ readAgoS: null, lagS: null, overdueS: 0 })

    await testLedger.database.query(`UPDATE attempt SET ended_at = ended_at - interval '20 minutes' WHERE id = $1`, [
      second,
    ])
    await testLedger.database.query(
      `UPDATE attempt SET ended_at = ended_at - interval '5 minutes', shown_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
      [first],
    )
    await testLedger.database.query(
      `UPDATE attempt SET ended_at = ended_at - interval '50 minutes', shown_at = clock_timestamp() - interval '45 minutes' WHERE id = $1`,
      [earlier],
    )
    const scan = await testLedger.ledger.scans.begin('2026-01-01')
    await testLedger.ledger.scans.end(scan.id, {
      complete: true,
      pages: 1,
      items: 0,
      claimed: 0,
      unknown: 0,
      problem: null,
    })
    await testLedger.ledger.scans.begin('2026-01-01')
    await testLedger.database.query(
      `UPDATE scan SET started_at = started_at - interval '1 hour', ended_at = ended_at - interval '1 hour'`,
    )
    await testLedger.ledger.poller.schedule(-90_000, null)
    const { report, due } = await readWholeMetrics(testLedger.database, 'development')
    expect(isNear(report.lagS, 240)).toBe(true)
    expect(isNear(report.unseenS, 1_200)).toBe(true)
    expect(isNear(report.readAgoS, 3_600)).toBe(true)
    expect(isNear(report.overdueS, 90)).toBe(true)
    expect(due.reconcile).toBe(1)
    // Nothing is overdue if no row waits for the report.
    await testLedger.answer(third, { class: 'refused', status: 400 })
    await testLedger.database.query(`UPDATE issuance SET state = 'in_progress' WHERE state = 'requested'`)
    await testLedger.database.query(`UPDATE issuance SET state = 'failed' WHERE state = 'in_progress'`)
    await testLedger.database.query(`UPDATE issuance SET state = 'held' WHERE state = 'unconfirmed'`)
    const { report: reportWithoutWaitingRows } = await readWholeMetrics(testLedger.database, 'development')
    expect([reportWithoutWaitingRows.overdueS, reportWithoutWaitingRows.unseenS]).toEqual([0, 0])
  })

  test('show revocations, surplus, archives, inboxes, paused courses and workers', async () => {
    await using testLedger = await openFilled()
    const { database, ledger } = testLedger
    await database.query(
      `INSERT INTO revocation (environment, credential_id, by, state) VALUES
         ('development', 'A', 'me', 'wanted'), ('development', 'B', 'me', 'unconfirmed'), ('development', 'C', 'me', 'unconfirmed'),
         ('development', 'D', 'me', 'seen'), ('production', 'E', 'me', 'wanted')`,
    )
    await database.query(
      `INSERT INTO surplus_item (environment, item_key, issuance_id) SELECT 'development', 'x' || id, id FROM issuance WHERE state = 'issued' LIMIT 2`,
    )
    await ledger.archives.watch([{ pipeline: 'spring', folder: '/archive' }])
    await database.query(
      `UPDATE issuance SET archive_due_at = NULL WHERE id = (SELECT min(id) FROM issuance WHERE state = 'issued')`,
    )
    await database.query(`UPDATE archive SET kept = 41, problem = 'the folder is missing'`)
    await database.query(
      `INSERT INTO inbox_look (environment, pipeline, last_due_at, problem) VALUES
         ('development', 'spring', now(), 'gone'), ('development', 'autumn', now(), NULL), ('production', 'spring', now(), 'gone')`,
    )
    await ledger.courses.pause(otherCourse, 'not approved', 60_000)
    const lock = await ledger.locks.hold('worker')
    await ledger.workers.record(
      { host: 'here', pid: 1, configuration: 'x', store: null, work: null },
      lock as NonNullable<typeof lock>,
    )

    const metrics = await readWholeMetrics(database, 'development')
    expect(new Set(metrics.revocations)).toEqual(
      new Set([
        { state: 'wanted', revocations: 1 },
        { state: 'unconfirmed', revocations: 2 },
      ]),
    )
    expect(metrics.surplusItems).toBe(2)
    expect(metrics.archives).toEqual([{ pipeline: 'spring', waiting: 6, kept: 41, stuck: true, due: true }])
    expect(new Set(metrics.inboxes)).toEqual(
      new Set([
        { pipeline: 'spring', unusable: true },
        { pipeline: 'autumn', unusable: false },
      ]),
    )
    expect(metrics).toMatchObject({ pausedCourses: 1, workers: 1, due: { archive: 1, reconcile: 1 } })
    await lock?.release()
    expect(await readWholeMetrics(database, 'development')).toMatchObject({ workers: 0 })
  })
})
