// Learners who were forgotten: which of their completions are emptied, and what happens when their system reports them
// again.

import { expect, test } from 'vitest'
import { lockCompletions } from '#src/extensions/lms/ledger/refused-completions.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import {
  aCompletion,
  cellsOf,
  forget,
  ingest,
  isAnyLockAwaited,
  publishRun,
  request,
  settle,
  stageRun,
} from './runs-of-learners.ts'

const day = 86_400_000
const completions = async ({ database }: TestLedger) =>
  (
    await database.query<{ learner: string; state: string; cells: object }>(
      `SELECT left(learner, 10) AS learner, state, cells FROM completion ORDER BY id`,
    )
  ).rows
const emptied = { learner: 'forgotten:', cells: {} }

describeWithDatabase('a completion of a forgotten learner', () => {
  test('is not that of a learner with another name at the same address', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('one')])
    await publishRun(testLedger)
    const shared = { ...cellsOf('two'), email: cellsOf('one').email }
    await ingest(testLedger, [aCompletion('two', 2, { cells: shared }), aCompletion('3')])
    await publishRun(testLedger)
    expect(
      await testLedger.queryOne(`SELECT outcome, changed_fields AS fields FROM run_row WHERE cells ? 'Adatwo'`),
    ).toEqual({ outcome: 'skipped', fields: ['First Name'] })
    expect(await forget(testLedger, { ids: [1] })).toBe(true)
    expect(await completions(testLedger)).toMatchObject([
      { ...emptied, state: 'taken' },
      { learner: 'two', cells: shared },
      { learner: '3', cells: cellsOf('3') },
    ])
  })

  test('is emptied with its repetitions, and those of other learners stay', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7'), aCompletion('7', 2), aCompletion('8')])
    await publishRun(testLedger)
    expect(await forget(testLedger, { ids: [1] })).toBe(true)
    expect(await completions(testLedger)).toEqual([
      { ...emptied, state: 'taken' },
      { ...emptied, state: 'same' },
      { learner: '8', state: 'taken', cells: cellsOf('8') },
    ])
  })

  test('is emptied with those of other occasions of the learner, and their repetitions', async () => {
    await using testLedger = await openTestLedger()
    const renewed = { renewAfterMs: 30 * day }
    await ingest(
      testLedger,
      [aCompletion('7'), aCompletion('7', 90), aCompletion('7', 2), aCompletion('7', 91)],
      renewed,
    )
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    expect((await completions(testLedger)).map(({ learner }) => learner)).toEqual(Array(4).fill('forgotten:'))
  })

  test('is not stored when it is reported again, by a poll or an event, at another time', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    for (const by of ['poll', 'event'] as const)
      expect(await ingest(testLedger, [aCompletion('7'), aCompletion('7', 5)], {}, by)).toMatchObject({
        forgotten: 2,
        fresh: 0,
        same: 0,
      })
    expect(await completions(testLedger)).toEqual([{ ...emptied, state: 'taken' }])
    expect(await testLedger.ledger.completions.createRun('spring')).toBeNull()
  })

  test('lets the learner be known to polls, without a name', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    const known = await testLedger.ledger.completions.known('campus', 'spring')
    expect([[...known.keys()], known.has('7'), known.has('8'), known.has('9')]).toEqual([['8'], true, true, false])
    expect((await testLedger.ledger.completions.known('other', 'spring')).has('7')).toBe(false)
  })

  test('does not prevent another pipeline or another system, but a renewal is forgotten too', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')], { renewAfterMs: 30 * day })
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    const fresh = { fresh: 1, forgotten: 0 }
    const elsewhere = aCompletion('7', 90, { cells: { ...cellsOf('7'), email: 'other@example.org' } })
    expect(await ingest(testLedger, [elsewhere], { renewAfterMs: 30 * day })).toMatchObject({ fresh: 0, forgotten: 1 })
    expect(await ingest(testLedger, [aCompletion('7')], { pipeline: 'autumn' })).toMatchObject(fresh)
    expect(await ingest(testLedger, [aCompletion('7')], { system: 'other' })).toMatchObject(fresh)
    await publishRun(testLedger)
    expect((await testLedger.issuances()).map(({ id }) => id)).toHaveLength(1)
    await publishRun(testLedger, [], 'autumn')
    expect(
      await testLedger.queryOne('SELECT count(*) AS forgotten FROM run_row WHERE forgotten_at IS NOT NULL'),
    ).toEqual({ forgotten: 3 })
  })

  test('is forgotten again when its last occasion is reported once more, and when it is renewed', async () => {
    await using testLedger = await openTestLedger()
    const renewed = { renewAfterMs: 30 * day }
    await ingest(testLedger, [aCompletion('7'), aCompletion('7', 20)], renewed)
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1], completions: [1, 2] })
    // Nor after a restore.
    expect(await testLedger.ledger.erasures.toRecord()).toMatchObject([
      { completions: [{ at: '2026-03-01T00:00:00.000000Z' }] },
    ])
    expect(await ingest(testLedger, [aCompletion('7', 20)], renewed)).toMatchObject({ forgotten: 1, fresh: 0 })
    expect(await ingest(testLedger, [aCompletion('7', 40)], renewed)).toMatchObject({ forgotten: 1, fresh: 0 })
  })

  test('is heard of as new once the learner is released', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1], releases: true })
    expect(await ingest(testLedger, [aCompletion('7')])).toMatchObject({ fresh: 1 })
    // It may be forgotten once more.
    await publishRun(testLedger)
    expect(await forget(testLedger, { ids: [2] })).toBe(true)
    expect(await ingest(testLedger, [aCompletion('7')])).toMatchObject({ forgotten: 1 })
  })

  test('of another learner at the same address is tried again once the person is released', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    const other = aCompletion('8', 1, { cells: { ...cellsOf('8'), email: cellsOf('7').email } })
    await ingest(testLedger, [other])
    await publishRun(testLedger)
    expect(await testLedger.ledger.completions.invalid()).toMatchObject([
      { rule: 'forgotten_identity', learners: ['8'] },
    ])
    expect(await ingest(testLedger, [other])).toMatchObject({ same: 1 })
    await forget(testLedger, { ids: [1], releases: true })
    expect(await ingest(testLedger, [other])).toMatchObject({ again: 1 })
    await publishRun(testLedger)
    expect(await testLedger.issuances()).toHaveLength(2)
  })

  test.each([7, 8])('is not named to another learner at the address, whoever of them came first (%i)', async (gone) => {
    await using testLedger = await openTestLedger()
    const { erasures } = testLedger.ledger
    await ingest(testLedger, [aCompletion('7'), aCompletion('9')])
    await publishRun(testLedger)
    const share = async (learner: string) => {
      await ingest(testLedger, [aCompletion(learner, 1, { cells: { ...cellsOf(learner), email: cellsOf('7').email } })])
      return publishRun(testLedger)
    }
    await share('6')
    const run = await share('8')
    await settle(testLedger)
    const row = await testLedger.queryOne<{ row: number; id: number }>(
      `SELECT r.row_number AS row, c.id FROM completion c JOIN run_row r USING (run_id, row_number) WHERE c.learner = '8'`,
    )
    const id = await request(
      testLedger,
      gone === 7 ? { ids: [1] } : { rows: [{ run, row: row.row }], completions: [row.id] },
    )
    await erasures.emptyEvents(id, {})
    while ((await erasures.emptyNext(id)) > 0);
    expect(await erasures.end(id)).toBe(true)
    const said = await testLedger.queryOne<{ history: string; rows: string }>(
      `SELECT (SELECT string_agg(evidence::text, ' ' ORDER BY id) FROM history WHERE event LIKE 'another%') AS history,
              (SELECT string_agg(violations::text, ' ') FROM run_row WHERE outcome = 'invalid') AS rows`,
    )
    expect(said.history).not.toContain(`"${gone}"`)
    expect(said.rows).not.toContain(`learner ${gone} `)
    if (gone === 7) expect(said.rows).toContain('somebody who was forgotten (i1)')
    else expect(said.history).toContain('"learner": "7"')
    expect(said.history.includes('"6"')).toBe(gone === 8)
  })

  test('that was refused takes its invalid row along', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    await publishRun(testLedger, ['7', '8'])
    expect(await forget(testLedger, { completions: [1] })).toBe(true)
    const { rows } = await testLedger.database.query(
      'SELECT jsonb_array_length(cells) AS cells, forgotten_at IS NOT NULL AS forgotten FROM run_row ORDER BY row_number',
    )
    expect(rows).toEqual([
      { cells: 0, forgotten: true },
      { cells: 3, forgotten: false },
    ])
  })

  test('that was refused is never tried again', async () => {
    await using testLedger = await openTestLedger()
    const { completions: store } = testLedger.ledger
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    const run = await publishRun(testLedger, ['7', '8'])
    const id = await request(testLedger, { rows: [{ run, row: 2 }] })
    // Not even before it is emptied.
    const changed = aCompletion('7', 1, { cells: { email: 'other@example.org' } })
    expect(await ingest(testLedger, [changed])).toMatchObject({ forgotten: 1 })
    while ((await testLedger.ledger.erasures.emptyNext(id)) > 0);
    expect(await ingest(testLedger, [aCompletion('7', 1, { cells: { email: 'new@example.org' } })])).toMatchObject({
      forgotten: 1,
    })
    expect(await store.invalid()).toMatchObject([{ completions: 1, learners: ['8'] }])
    await store.tryAgain('spring', 'other rules')
    expect((await completions(testLedger)).map(({ state }) => state)).toEqual(['taken', 'ready'])
    expect((await testLedger.ledger.elsewhere.ofPerson('l7@example.org')).waiting).toEqual([])
  })

  test('is recognized on another occasion, and taken again once the person is released', async () => {
    await using testLedger = await openTestLedger()
    const yearly = { renewAfterMs: 300 * day }
    await ingest(testLedger, [aCompletion('7')], yearly)
    await publishRun(testLedger)
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    expect(await completions(testLedger)).toMatchObject([emptied])
    expect(await ingest(testLedger, [aCompletion('7', 2), aCompletion('7', 401)], yearly)).toMatchObject({
      forgotten: 2,
    })
    await forget(testLedger, { ids: [1], releases: true })
    expect(await ingest(testLedger, [aCompletion('7', 2)], yearly)).toMatchObject({ fresh: 1 })
    expect((await ingest(testLedger, [aCompletion('7', 401)], yearly)).forgotten).toBe(0)
    expect(await testLedger.queryOne('SELECT count(*) AS kept FROM erased_person')).toEqual({ kept: 0 })
  })

  test('is released with those of the learner in other pipelines, whatever their names', async () => {
    await using testLedger = await openTestLedger()
    const other = { ...cellsOf('7'), firstname: 'Eve', email: 'other@example.org' }
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await ingest(testLedger, [aCompletion('7', 2, { cells: other })], { pipeline: 'autumn' })
    await publishRun(testLedger, [], 'autumn')
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    await forget(testLedger, { ids: [2], releases: true })
    const { rows } = await testLedger.database.query(
      'SELECT FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id AND x.releases',
    )
    expect(rows).toHaveLength(2)
    expect(await ingest(testLedger, [aCompletion('7', 3)])).toMatchObject({ fresh: 1 })
  })

  test('of another account that a run recognized is released with its person', async () => {
    await using testLedger = await openTestLedger()
    const cells = cellsOf('7')
    await ingest(testLedger, [aCompletion('6', 1, { cells })])
    await publishRun(testLedger)
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    expect(await ingest(testLedger, [aCompletion('7', 2)])).toMatchObject({ forgotten: 1 })
    await forget(testLedger, { ids: [1], releases: true })
    expect(await ingest(testLedger, [aCompletion('7', 2)])).toMatchObject({ fresh: 1 })
  })

  test('is released with the line of what it led to, whatever addresses it had', async () => {
    await using testLedger = await openTestLedger()
    const yearly = { renewAfterMs: 300 * day }
    await ingest(testLedger, [aCompletion('7')], yearly)
    await publishRun(testLedger)
    const renewed = { ...cellsOf('7'), firstname: 'Eve', email: 'other@example.org' }
    await ingest(testLedger, [aCompletion('7', 400, { cells: renewed })], yearly)
    await publishRun(testLedger)
    await ingest(testLedger, [aCompletion('8')])
    await publishRun(testLedger)
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 3')
    await settle(testLedger)
    await forget(testLedger, { ids: [1, 2] })
    await forget(testLedger, { ids: [2], releases: true })
    const { rows } = await testLedger.database.query(
      'SELECT e.issuance_id AS id FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id AND x.releases ORDER BY 1',
    )
    expect(rows).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
  })

  test('of somebody who had expired and then asked is forgotten on a renewal, also while the erasure waits', async () => {
    await using testLedger = await openTestLedger()
    const yearly = { renewAfterMs: 300 * day }
    await ingest(testLedger, [aCompletion('7')], yearly)
    await publishRun(testLedger)
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    await testLedger.database.query(`UPDATE erasure SET kind = 'retention', pipeline = 'spring'`)
    const renewal = aCompletion('7', 400, { cells: { ...cellsOf('7'), email: 'other@example.org' } })
    await request(testLedger, { ids: [1] })
    expect(await ingest(testLedger, [renewal], yearly)).toMatchObject({ forgotten: 1, fresh: 0 })
    await ingest(testLedger, [aCompletion('8')], yearly)
    await request(testLedger, { completions: [2] })
    expect(await ingest(testLedger, [aCompletion('8', 400)], yearly)).toMatchObject({ forgotten: 1, fresh: 0 })
  })

  test.each(['ready', 'refused', 'braked'])('leaves a run that is %s, and is not issued', async (kind) => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    if (kind === 'braked') await (await stageRun(testLedger)).publish({ brake: { rows: 0 } })
    if (kind === 'refused')
      await ledger.runs.refuse((await ledger.completions.createRun('spring')) ?? '', 'the course is unknown')
    expect(await forget(testLedger, { completions: [1] })).toBe(true)
    await ledger.completions.waitAgain()
    const { rows } = await database.query<{ id: string }>(`SELECT id FROM run WHERE state = 'braked'`)
    for (const { id } of rows) {
      expect((await ledger.elsewhere.held(id)).map(({ learner }) => learner)).toEqual(['8'])
      expect((await ledger.erasures.filesOf(id)).erasures).toHaveLength(1)
      await ledger.brake.approve(id, { by: 'ada', why: '' })
    }
    expect((await completions(testLedger))[0]).toEqual({ ...emptied, state: 'forgotten' })
    expect(await ingest(testLedger, [aCompletion('7')])).toMatchObject({ forgotten: 1 })
  })

  test('is emptied once nobody records completions of its pipeline, with what was recorded meanwhile', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await ingest(testLedger, [aCompletion('7')])
    const id = await request(testLedger, { completions: [1] })
    const recording = await database.session()
    await recording.query('BEGIN')
    await lockCompletions(recording, 'development', 'spring')
    const emptying = ledger.erasures.emptyNext(id)
    await until('the emptying waits', () => isAnyLockAwaited(database))
    await recording.query(
      `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, found_by, cells, state)
       SELECT environment, system, pipeline, learner, course, completed_at + interval '1 day', found_by, cells, 'same' FROM completion`,
    )
    await recording.query('COMMIT')
    await recording.release()
    expect(await emptying).toBe(1)
    expect((await completions(testLedger)).map(({ learner }) => learner)).toEqual(Array(2).fill(emptied.learner))
  })

  test('waits while its run is read, and is withdrawn when that is published', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    const { publish, run } = await stageRun(testLedger)
    const id = await request(testLedger, { completions: [1] })
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(0)
    expect(await testLedger.ledger.erasures.end(id)).toBe(false)
    expect(await testLedger.ledger.erasures.waiting(id)).toEqual([{ waitsFor: 'its list', count: 1, runs: [run] }])
    expect((await completions(testLedger))[0]?.learner).toBe('7')
    await publish()
    expect(await testLedger.ledger.erasures.waiting(id)).toEqual([])
    expect(
      await testLedger.queryOne(
        'SELECT outcome, cells, forgotten_at IS NOT NULL AS forgotten FROM run_row WHERE run_id = $1 AND row_number = 2',
        [run],
      ),
    ).toEqual({
      ...{ outcome: 'invalid', cells: [], forgotten: true },
    })
    expect(await testLedger.ledger.runs.find(run)).toMatchObject({ accepted: 1, invalid: 1 })
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(1)
    expect(await testLedger.ledger.erasures.end(id)).toBe(true)
    expect((await completions(testLedger))[0]).toEqual({ ...emptied, state: 'taken' })
  })
})
