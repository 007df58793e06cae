// The ledger's figures, each against what is truly in its tables.

import { expect, test } from 'vitest'
import type { Database } from '#src/database/database.ts'
import type { State } from '#src/issuance/state.ts'
import { type LedgerFigures, readFigures } from '#src/ledger/figures.ts'
import { openLedger } from '#src/ledger/ledger.ts'
import { aBadRow, otherCourse, recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const ways: Partial<Record<State, State[]>> = {
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

/** Takes the next `count` pending rows of a run to a state, step by step, for the ledger lets nothing jump. */
async function take(database: Database, run: string, state: State, count: number): Promise<number[]> {
  const { rows } = await database.query<{ id: number }>(
    `SELECT id FROM issuance WHERE run_id = $1 AND state = 'pending' ORDER BY id LIMIT $2`,
    [run, count],
  )
  const ids = rows.map((row) => row.id)
  for (const step of ways[state] ?? [])
    await database.query(
      `UPDATE issuance SET state = $2, credential_id = CASE WHEN $2 = 'issued' THEN 'C-' || id ELSE credential_id END WHERE id = ANY($1)`,
      [ids, step],
    )
  return ids
}

const spread: Partial<Record<State, number>> = {
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

const rowsIn = (figures: LedgerFigures, pipeline: string) =>
  Object.fromEntries(figures.rows.filter((each) => each.pipeline === pipeline).map((each) => [each.state, each.rows]))

const near = (value: number | null | undefined, wanted: number) => Math.abs((value ?? Number.NaN) - wanted) < 30

async function openFilled(): Promise<TestLedger & { run: string }> {
  const place = await openTestLedger()
  const run = await place.publish(recipients(30), { more: [aBadRow(90)] })
  for (const [state, count] of Object.entries(spread)) await take(place.database, run, state as State, count)
  return Object.assign(place, { run })
}

describeWithDatabase('figures of the ledger', () => {
  test('tell how many rows of each pipeline are in each state, as a count of the whole table does', async () => {
    await using place = await openFilled()
    const autumn = await place.publish(recipients(4), { pipeline: 'autumn', course: otherCourse })
    await take(place.database, autumn, 'issued', 1)
    const elsewhere = await openLedger(place.database, 'production')
    const source = { pipeline: 'spring', sourceName: 'a.csv', sourcePath: '/a.csv', sourceSha256: 'b' }
    await elsewhere.receiveRun(source)

    const figures = await readFigures(place.database, 'development')
    expect(rowsIn(figures, 'spring')).toEqual({ ...spread, pending: 8 })
    expect(rowsIn(figures, 'autumn')).toEqual({ pending: 3, issued: 1 })
    const { rows } = await place.database.query<{ state: string; rows: number }>(
      `SELECT state, count(*) AS rows FROM issuance WHERE pipeline = 'spring' GROUP BY state`,
    )
    expect(rowsIn(figures, 'spring')).toEqual(Object.fromEntries(rows.map((row) => [row.state, row.rows])))
    expect(rowsIn(await readFigures(place.database, 'production'), 'spring')).toEqual({ issued: 0 })
  })

  test('tell what could go now, and for how long the oldest have waited', async () => {
    await using place = await openFilled()
    await place.database.query(
      `UPDATE issuance SET due_at = 'infinity' WHERE id = (SELECT max(id) FROM issuance WHERE state = 'pending')`,
    )
    // Only whoever changes its state restarts the clock of a row.
    await place.database.query(
      `UPDATE issuance SET state_since = state_since - interval '2 hours' WHERE id = (SELECT max(id) FROM issuance WHERE state = 'unconfirmed')`,
    )
    await place.database.query(`UPDATE run SET published_at = published_at - interval '3 hours'`)
    const figures = await readFigures(place.database, 'development')
    const of = (state: State) => figures.rows.find((each) => each.state === state)
    expect(of('pending')?.due).toBe(7)
    expect([near(of('unconfirmed')?.inStateS, 7_200), near(of('requested')?.inStateS, 0)]).toEqual([true, true])
    expect([near(of('pending')?.oldestS, 10_800), near(of('held')?.oldestS, 10_800)]).toEqual([true, true])
    expect(of('issued')).toMatchObject({ inStateS: null, oldestS: null })
  })

  test('tell the runs of each state', async () => {
    await using place = await openFilled()
    const source = (name: string) => ({
      pipeline: 'spring',
      sourceName: name,
      sourcePath: `/${name}`,
      sourceSha256: name,
    })
    await place.ledger.receiveRun(source('waiting'))
    const { run: refused } = await place.ledger.receiveRun(source('refused'))
    await place.ledger.refuseRun(refused.id, 'no')
    const { run: braked } = await place.ledger.receiveRun(source('braked'))
    await place.database.query(
      `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = 9, braked_because = 'too many' WHERE id = $1`,
      [braked.id],
    )
    const settled = await place.publish(recipients(1, 500), { pipeline: 'autumn' })
    await take(place.database, settled, 'issued', 1)
    await place.ledger.settleRuns()
    await place.ledger.wantResults(place.run)
    await place.ledger.noteTold(place.run, (await place.ledger.wantedVersion(place.run)) ?? 0)
    const { runs, due } = await readFigures(place.database, 'development')
    expect(new Set(runs)).toEqual(
      new Set([
        { pipeline: 'spring', state: 'received', runs: 1 },
        { pipeline: 'spring', state: 'refused', runs: 1 },
        { pipeline: 'spring', state: 'braked', runs: 1 },
        { pipeline: 'spring', state: 'open', runs: 1 },
        { pipeline: 'autumn', state: 'settled', runs: 1 },
      ]),
    )
    // The settled run's results are to be written, those of another were, and the received one is to be read.
    expect(due).toMatchObject({ intake: 1, 'write-back': 1 })
  })

  test('tell what waits of learning systems, and nothing of what is done', async () => {
    await using place = await openFilled()
    const { ledger, database } = place
    const sent = (key: string) => ({ system: 'hooks', key, headers: {}, body: Buffer.from('{}') })
    await ledger.deliveries.keep([sent('0a'), sent('0b'), sent('0c'), sent('0d')])
    for (const { id } of await ledger.deliveries.unjudged('hooks', 3))
      await ledger.deliveries.noteJudged(
        id,
        id === 3 ? { kind: 'judged' } : { kind: 'strange', problem: 'It is strange.' },
      )
    const heard = { learner: '3', course: 'FIRE-1', completedAt: new Date(0), cells: {} }
    await ledger.completions.hear({ system: 'campus', pipeline: 'spring', renewAfterMs: null }, [heard], 'poll')
    await ledger.learningSystems.watch(['campus', 'never'])
    await ledger.learningSystems.notePolled('campus', { nextAt: new Date(), sweepAt: null, problem: null })
    await database.query(`UPDATE learning_system SET polled_at = polled_at - interval '1 hour'`)
    const [target, tells] = ['moodle-profile campus', ['pending', 'written', 'verified', 'drifted', 'failed']]
    await database.query(
      `INSERT INTO tell (issuance_id, target, wanted, state, wanted_at)
       SELECT i.id, $1, 'issued', t.state, clock_timestamp() - interval '2 hours' FROM unnest($2::text[]) WITH ORDINALITY t(state, n)
       JOIN (SELECT id, row_number() OVER (ORDER BY id) AS n FROM issuance) i USING (n)`,
      [target, tells],
    )
    const { learning } = await readFigures(database, 'development')
    expect(learning).toEqual({
      deliveries: expect.arrayContaining([
        { system: 'hooks', state: 'new', deliveries: 1 },
        { system: 'hooks', state: 'strange', deliveries: 2 },
      ]),
      completions: [{ pipeline: 'spring', completions: 1 }],
      systems: expect.arrayContaining([
        { system: 'campus', askedAgoS: expect.closeTo(3_600, -2) },
        { system: 'never', askedAgoS: null },
      ]),
      tells: expect.arrayContaining(['pending', 'drifted', 'failed'].map((state) => ({ target, state, tells: 1 }))),
      untold: [{ target, oldestS: expect.closeTo(7_200, -2) }],
    })
    expect([learning.deliveries.length, learning.tells.length]).toEqual([2, 3])
    expect((await readFigures(database, 'production')).learning.tells).toEqual([])
  })

  test('tell of batches that wait and go, and how far the report is behind', async () => {
    await using place = await openTestLedger()
    await place.publish(recipients(10))
    const [earlier, first, second, third] = [
      await place.send(1),
      await place.send(2),
      await place.send(2),
      await place.send(2),
    ]
    const accepted = { class: 'accepted' as const, status: 200 }
    for (const attempt of [earlier, first, second]) await place.answer(attempt, accepted)
    await place.ledger.prepareAttempt('spring', 2)
    const before = await readFigures(place.database, 'development')
    expect(before).toMatchObject({ due: { issue: 1, reconcile: 0 }, sending: 1 })
    expect(before.report).toMatchObject({ readAgoS: null, lagS: null, overdueS: 0 })

    await place.database.query(`UPDATE attempt SET ended_at = ended_at - interval '20 minutes' WHERE id = $1`, [second])
    await place.database.query(
      `UPDATE attempt SET ended_at = ended_at - interval '5 minutes', shown_at = clock_timestamp() - interval '1 minute' WHERE id = $1`,
      [first],
    )
    await place.database.query(
      `UPDATE attempt SET ended_at = ended_at - interval '50 minutes', shown_at = clock_timestamp() - interval '45 minutes' WHERE id = $1`,
      [earlier],
    )
    const scan = await place.ledger.beginScan('2026-01-01')
    await place.ledger.endScan(scan.id, { complete: true, pages: 1, items: 0, claimed: 0, unknown: 0, problem: null })
    await place.ledger.beginScan('2026-01-01')
    await place.database.query(
      `UPDATE scan SET started_at = started_at - interval '1 hour', ended_at = ended_at - interval '1 hour'`,
    )
    await place.ledger.schedulePoller(-90_000, null)
    const { report, due } = await readFigures(place.database, 'development')
    expect(near(report.lagS, 240)).toBe(true)
    expect(near(report.unseenS, 1_200)).toBe(true)
    expect(near(report.readAgoS, 3_600)).toBe(true)
    expect(near(report.overdueS, 90)).toBe(true)
    expect(due.reconcile).toBe(1)
    // Nothing is late where nothing is looked for.
    await place.answer(third, { class: 'refused', status: 400 })
    await place.database.query(`UPDATE issuance SET state = 'in_progress' WHERE state = 'requested'`)
    await place.database.query(`UPDATE issuance SET state = 'failed' WHERE state = 'in_progress'`)
    await place.database.query(`UPDATE issuance SET state = 'held' WHERE state = 'unconfirmed'`)
    const { report: quiet } = await readFigures(place.database, 'development')
    expect([quiet.overdueS, quiet.unseenS]).toEqual([0, 0])
  })

  test('tell of revocations, surplus, archives, inboxes, paused courses and workers', async () => {
    await using place = await openFilled()
    const { database, ledger } = place
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
    await ledger.pauseCourse(otherCourse, 'not approved', 60_000)
    const lock = await ledger.holdLock('worker')
    await ledger.showWorker({ host: 'here', pid: 1, configuration: 'x', store: null }, lock as NonNullable<typeof lock>)

    const figures = await readFigures(database, 'development')
    expect(new Set(figures.revocations)).toEqual(
      new Set([
        { state: 'wanted', revocations: 1 },
        { state: 'unconfirmed', revocations: 2 },
      ]),
    )
    expect(figures.surplusItems).toBe(2)
    expect(figures.archives).toEqual([{ pipeline: 'spring', waiting: 6, kept: 41, stuck: true }])
    expect(new Set(figures.inboxes)).toEqual(
      new Set([
        { pipeline: 'spring', unusable: true },
        { pipeline: 'autumn', unusable: false },
      ]),
    )
    expect(figures).toMatchObject({ pausedCourses: 1, workers: 1, due: { archive: 1, reconcile: 1 } })
    await lock?.release()
    expect(await readFigures(database, 'development')).toMatchObject({ workers: 0 })
  })
})
