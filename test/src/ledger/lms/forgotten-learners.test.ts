// Learners who were forgotten: what is emptied, and what happens when their system reports them again.

import { expect, test } from 'vitest'
import type { CompletionSource, NewCompletion } from '#src/ledger/lms/completions.ts'
import { waitsForEvents } from '#src/ledger/lms/empty-events.ts'
import { deliveredOutcomes } from '#src/ledger/lms/empty-learning.ts'
import { inboundEventStore } from '#src/ledger/lms/inbound-events.ts'
import { lockCompletions } from '#src/ledger/lms/refused-completions.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aCourse, aStagedRow } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const at = (day: number) => new Date(Date.UTC(2026, 2, day))
const day = 86_400_000
const cellsOf = (learner: string) => ({
  email: `l${learner}@example.org`,
  firstname: `Ada${learner}`,
  username: `u${learner}`,
})
const aCompletion = (learner: string, on = 1, more: Partial<NewCompletion> = {}): NewCompletion => ({
  ...{ learner, course: 'FIRE-1', completedAt: at(on), cells: cellsOf(learner) },
  ...more,
})

const ingest = (
  { ledger }: TestLedger,
  batch: NewCompletion[],
  more: Partial<CompletionSource> = {},
  by: 'event' | 'poll' = 'poll',
) => ledger.completions.ingest({ system: 'campus', pipeline: 'spring', renewAfterMs: null, ...more }, batch, by)

/** Puts what is ready into a run and stages it: learner `n` is person `n`; the learners of `invalid` have bad rows. */
async function stageRun({ ledger }: TestLedger, invalid: readonly string[] = [], pipeline = 'spring') {
  const run = (await ledger.completions.createRun(pipeline)) ?? ''
  const rows = []
  for await (const batch of ledger.completions.rowsOf(run))
    for (const { row, cells, occasion } of batch) {
      const recipient = { Email: cells.email ?? '', 'First Name': cells.firstname ?? '', 'Last Name': 'Lovelace' }
      const isBad = invalid.includes((cells.username ?? '').slice(1)) || recipient.Email === ''
      const rule = { identity: [], occurrence: occasion ? ['Day'] : [], correlation: null }
      const person = { ...recipient, 'Primary Value': 'Email', ...(occasion && { Day: occasion.toISOString() }) }
      rows.push(
        isBad ? { ...aBadRow(row), cells: Object.values(cells) } : aStagedRow(row, person, ledger.hasher, { rule }),
      )
    }
  await ledger.intake.stage(run, rows)
  const publication = { courseUuid: aCourse, format: 'csv', header: ['email'], notices: [], rulesHash: 'rules' }
  return { run, publish: (more = {}) => ledger.intake.publish(run, { ...publication, ...more }, rows.length) }
}

async function publishRun(
  testLedger: TestLedger,
  invalid: readonly string[] = [],
  pipeline = 'spring',
): Promise<string> {
  const { run, publish } = await stageRun(testLedger, invalid, pipeline)
  await publish()
  return run
}

interface Asked {
  ids?: number[]
  completions?: number[]
  rows?: { run: string; row: number }[]
  releases?: boolean
}

async function request({ ledger }: TestLedger, asked: Asked): Promise<string> {
  const nobody = { ids: [], completions: [], rows: [] }
  const { id } = await ledger.erasures.request({
    ...nobody,
    by: 'ada',
    reason: 'a letter',
    revokes: false,
    releases: false,
    ...asked,
  })
  return id
}

async function forget(testLedger: TestLedger, asked: Asked): Promise<boolean> {
  const { erasures } = testLedger.ledger
  const id = await request(testLedger, asked)
  while ((await erasures.emptyNext(id)) > 0);
  return erasures.end(id)
}

/** Takes the issuances to their end, without the service. */
const settle = ({ database }: TestLedger) =>
  database.query(`UPDATE issuance SET state = 'failed' WHERE state = 'pending'`)

const completions = async ({ database }: TestLedger) =>
  (
    await database.query<{ learner: string; state: string; cells: object }>(
      `SELECT left(learner, 10) AS learner, state, cells FROM completion ORDER BY id`,
    )
  ).rows

const isAnyLockAwaited = async (database: Database) =>
  (
    await database.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    )
  ).rowCount > 0

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

  test('keeps the repetitions of another occasion of the learner', async () => {
    await using testLedger = await openTestLedger()
    const renewed = { renewAfterMs: 30 * day }
    await ingest(
      testLedger,
      [aCompletion('7'), aCompletion('7', 90), aCompletion('7', 2), aCompletion('7', 91)],
      renewed,
    )
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    expect((await completions(testLedger)).map(({ learner }) => learner)).toEqual([
      'forgotten:',
      '7',
      'forgotten:',
      '7',
    ])
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

  test('does not prevent a renewal, another pipeline or another system', async () => {
    await using testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')], { renewAfterMs: 30 * day })
    await publishRun(testLedger)
    await forget(testLedger, { ids: [1] })
    const fresh = { fresh: 1, forgotten: 0 }
    expect(await ingest(testLedger, [aCompletion('7', 90)], { renewAfterMs: 30 * day })).toMatchObject(fresh)
    expect(await ingest(testLedger, [aCompletion('7')], { pipeline: 'autumn' })).toMatchObject(fresh)
    expect(await ingest(testLedger, [aCompletion('7')], { system: 'other' })).toMatchObject(fresh)
    expect(await testLedger.queryOne(`SELECT occasion, learner FROM completion WHERE occasion IS NOT NULL`)).toEqual({
      ...{ occasion: at(90), learner: '7' },
    })
    await publishRun(testLedger)
    expect((await testLedger.issuances()).map(({ id }) => id)).toHaveLength(2)
  })

  test('does not prevent a renewal if the last occasion was reported once more in between', async () => {
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
    expect(await ingest(testLedger, [aCompletion('7', 40)], renewed)).toMatchObject({ forgotten: 0, fresh: 1 })
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
    await erasures.emptyEvents(id)
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
    expect(await ingest(testLedger, [changed])).toMatchObject({ same: 1 })
    while ((await testLedger.ledger.erasures.emptyNext(id)) > 0);
    expect(await ingest(testLedger, [aCompletion('7', 1, { cells: { email: 'new@example.org' } })])).toMatchObject({
      forgotten: 1,
    })
    expect(await store.invalid()).toMatchObject([{ completions: 1, learners: ['8'] }])
    expect([...(await store.withEmptyColumns('campus', 'spring')).keys()]).toEqual(['8'])
    await store.tryAgain('spring', 'other rules')
    expect((await completions(testLedger)).map(({ state }) => state)).toEqual(['taken', 'ready'])
    expect(await store.waitingFor('l7@example.org')).toEqual([])
  })

  test('is taken again once the learner is released, although an earlier erasure has one as well', async () => {
    await using testLedger = await openTestLedger()
    const yearly = { renewAfterMs: 300 * day }
    await ingest(testLedger, [aCompletion('7')], yearly)
    const run = await publishRun(testLedger, ['7'])
    await forget(testLedger, { rows: [{ run, row: 2 }] })
    await ingest(testLedger, [aCompletion('7', 400), aCompletion('8')], yearly)
    await publishRun(testLedger)
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    expect(await ingest(testLedger, [aCompletion('7', 2), aCompletion('7', 401)], yearly)).toMatchObject({
      forgotten: 2,
    })
    await forget(testLedger, { ids: [1], releases: true })
    expect(await ingest(testLedger, [aCompletion('7', 2)], yearly)).toMatchObject({ fresh: 1 })
    expect((await ingest(testLedger, [aCompletion('7', 401)], yearly)).forgotten).toBe(0)
    expect(await testLedger.queryOne('SELECT count(*) AS kept FROM erased_trace')).toEqual({ kept: 0 })
  })

  test.each([
    ['the same name', 'Ada7', 2],
    ['another name', 'Eve', 1],
  ])('is released with those of the learner in other pipelines: %s', async (_, firstname, released) => {
    await using testLedger = await openTestLedger()
    const other = { ...cellsOf('7'), firstname, email: 'other@example.org' }
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await ingest(testLedger, [aCompletion('7', 2, { cells: other })], { pipeline: 'autumn' })
    await publishRun(testLedger, [], 'autumn')
    await settle(testLedger)
    await forget(testLedger, { ids: [1] })
    await forget(testLedger, { ids: [2] })
    await forget(testLedger, { ids: [2], releases: true })
    const { rows } = await testLedger.database.query(
      'SELECT FROM erased_issuance e JOIN erasure x ON x.id = e.erasure_id AND x.releases',
    )
    expect(rows).toHaveLength(released)
    // The learner is heard of in any case: a list tells the two people apart.
    expect(await ingest(testLedger, [aCompletion('7', 3)])).toMatchObject({ fresh: 1 })
  })

  test('that a run recognized is released with its person', async () => {
    await using testLedger = await openTestLedger()
    const cells = cellsOf('7')
    await ingest(testLedger, [aCompletion('6', 1, { cells })])
    const run = await publishRun(testLedger, ['7'])
    await forget(testLedger, { rows: [{ run, row: 2 }] })
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger, ['7'])
    expect(await ingest(testLedger, [aCompletion('7', 2)])).toMatchObject({ forgotten: 1 })
    await forget(testLedger, { rows: [{ run, row: 2 }], releases: true })
    expect(await ingest(testLedger, [aCompletion('7', 2)])).toMatchObject({ fresh: 1 })
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
      expect((await ledger.completions.heldOf(id)).map(({ learner }) => learner)).toEqual(['8'])
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
      `INSERT INTO completion (environment, system, pipeline, learner, course, completed_at, heard_by, cells, state)
       SELECT environment, system, pipeline, learner, course, completed_at + interval '1 day', heard_by, cells, 'same' FROM completion`,
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

const profiles = { pipeline: 'spring', name: 'moodle-profile campus', showsOne: true, learnersOf: 'campus' }
const events = { pipeline: 'spring', name: 'webhook example.org 1a2b', showsOne: false, learnersOf: null }

describeWithDatabase('what a learning system was told of a forgotten person', () => {
  async function told(testLedger: TestLedger): Promise<string> {
    const { deliveries } = testLedger.ledger
    await ingest(testLedger, [aCompletion('7'), aCompletion('8')])
    const run = await publishRun(testLedger)
    await settle(testLedger)
    await deliveries.request(run, [profiles, events])
    for (const target of [profiles, events])
      for (const due of await deliveries.due(target, 9)) await deliveries.note(due, { kind: 'verified' })
    return run
  }

  test('is listed, and neither told nor looked at again', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await told(testLedger)
    const listed = [
      {
        issuanceId: 1,
        target: profiles.name,
        system: 'campus',
        what: 'profile field',
        outcome: 'failed',
        at: expect.any(Date),
      },
      { issuanceId: 1, target: events.name, system: null, what: 'event', outcome: 'failed', at: expect.any(Date) },
    ]
    expect(await deliveredOutcomes(database, [1])).toEqual(listed)
    expect(await forget(testLedger, { ids: [1] })).toBe(true)
    expect(await deliveredOutcomes(database, [1])).toEqual(listed)
    await ledger.deliveries.request(run, [profiles, events])
    expect(await ledger.deliveries.again('spring', [profiles, events])).toBe(0)
    expect(await ledger.deliveries.wantAll('spring', [profiles, events])).toBe(0)
    expect(await ledger.deliveries.counts()).toMatchObject([
      { verified: 1, failed: 0, pending: 0 },
      { verified: 1, failed: 0, pending: 0 },
    ])
    await ledger.learningSystems.register(
      ['campus'],
      [{ system: 'campus', schedule: 'x', nextAt: at(1), checksDrift: true }],
    )
    expect(await ledger.drift.request('campus', [profiles.name])).toBe(1)
    await ledger.drift.begin('campus')
    expect((await ledger.drift.due('campus', profiles.name, 1)).map(({ learner }) => learner)).toEqual(['8'])
  })

  test('is told of a later revocation only where no learner is needed', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await told(testLedger)
    await forget(testLedger, { ids: [1] })
    await database.query(`ALTER TABLE issuance DISABLE TRIGGER USER`)
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    await ledger.deliveries.request(run, [profiles, events])
    expect(await ledger.deliveries.due(profiles, 9)).toEqual([])
    expect(await ledger.deliveries.due(events, 9)).toMatchObject([
      { issuanceId: 1, wanted: 'revoked', completion: null },
    ])
  })

  test('is not written over by a delivery that was under way', async () => {
    await using testLedger = await openTestLedger()
    const { deliveries } = testLedger.ledger
    await ingest(testLedger, [aCompletion('7')])
    const run = await publishRun(testLedger)
    await settle(testLedger)
    await deliveries.request(run, [profiles])
    const [due] = await deliveries.due(profiles, 9)
    await withoutTriggers(testLedger.database, `UPDATE issuance SET state_since = now() - interval '8 days'`)
    const id = await request(testLedger, { ids: [1] })
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(0)
    await testLedger.database.query(`UPDATE erasure SET requested_at = now() - interval '8 days'`)
    expect(await testLedger.ledger.erasures.emptyNext(id)).toBe(2)
    if (due) await deliveries.note(due, { kind: 'failed', problem: 'Learner 7: no such field.' })
    expect(await testLedger.queryOne('SELECT state, problem FROM tell')).toEqual({ state: 'forgotten', problem: null })
  })
})

describeWithDatabase('the body of an event', () => {
  const hint = (learner: string) => ({ userid: learner, courseid: '3' })
  async function keep({ ledger }: TestLedger, bodies: readonly unknown[], system = 'hooks'): Promise<void> {
    for (const body of bodies) {
      const text = JSON.stringify(body)
      const key = Buffer.from(system + text)
        .toString('hex')
        .slice(-40)
      await ledger.inboundEvents.keep([{ system, key, headers: { agent: 'x' }, body: Buffer.from(text) }])
    }
  }
  const bodies = async ({ database }: TestLedger) =>
    (
      await database.query<{ state: string; kept: boolean; problem: string | null }>(
        `SELECT state, body IS NOT NULL AND headers <> '{}' AS kept, problem FROM delivery ORDER BY id`,
      )
    ).rows.map(({ state, kept, problem }) => `${state}${kept ? '' : ' emptied'}${problem === null ? '' : ' problem'}`)

  async function withLearner(): Promise<TestLedger & { erasure: string }> {
    const testLedger = await openTestLedger()
    await ingest(testLedger, [aCompletion('7')])
    await publishRun(testLedger)
    await settle(testLedger)
    return { ...testLedger, erasure: await request(testLedger, { ids: [1] }) }
  }

  test('goes if it was processed, and that of another learner stays', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    await keep(testLedger, [hint('7'), hint('8'), { email: 'L7@example.org' }, [hint('7'), hint('8')]])
    await keep(testLedger, [hint('7')], 'unrelated')
    for (const id of [1, 2, 3, 4, 5]) await inboundEvents.noteProcessed(id, { kind: 'judged' })
    expect(await erasures.emptyEvents(testLedger.erasure, { confirming: { hooks: 'campus' } })).toEqual([])
    expect(await bodies(testLedger)).toEqual(['judged emptied', 'judged', 'judged emptied', 'judged emptied', 'judged'])
  })

  test('stays and is waited for until the event is processed', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    await keep(testLedger, [hint('7')])
    const [event] = await inboundEvents.unprocessed('hooks', 9)
    expect(await erasures.emptyEvents(testLedger.erasure, { confirming: { hooks: 'campus' } })).toEqual([event?.id])
    expect(waitsForEvents([event?.id ?? 0])).toMatch(
      /^An event is not processed yet, .*credsync events show d1\), .*credsync events close d1\)\.$/,
    )
    await inboundEvents.noteProcessed(event?.id ?? 0, { kind: 'judged', isForgotten: true })
    expect(await bodies(testLedger)).toEqual(['judged emptied'])
    expect(await erasures.emptyEvents(testLedger.erasure, { confirming: { hooks: 'campus' } })).toEqual([])
  })

  test('of an event that was not understood goes with the event, and its queue continues', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    await keep(testLedger, [hint('7'), [hint('7'), hint('8')], hint('9')])
    for (const id of [1, 2, 3])
      await inboundEvents.noteProcessed(id, { kind: 'strange', problem: 'Learner 7: what is this?' })
    expect(await erasures.emptyEvents(testLedger.erasure, { confirming: { hooks: 'campus' } })).toEqual([2])
    expect(await bodies(testLedger)).toEqual(['judged emptied', 'strange problem', 'strange problem'])
    expect(await inboundEvents.processAgain('hooks')).toBe(2)
    const again = await inboundEvents.unprocessed('hooks', 9)
    expect(again.map(({ id, body }) => [id, body !== null])).toEqual([
      [2, true],
      [3, true],
    ])
  })

  test('stays if it was not understood and has only an address, which may be shared, until it is closed', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    const address = { email: 'l7@example.org' }
    await keep(testLedger, [
      address,
      { ...address, firstname: 'Ada7', lastname: 'Lovelace' },
      { ...address, name: 'Bea' },
    ])
    for (const id of [1, 2, 3]) await inboundEvents.noteProcessed(id, { kind: 'strange', problem: 'What is this?' })
    expect(await erasures.emptyEvents(testLedger.erasure)).toEqual([1, 3])
    expect(await bodies(testLedger)).toEqual(['strange problem', 'judged emptied', 'strange problem'])
    expect([await inboundEvents.close(1), await inboundEvents.close(2)]).toEqual([true, false])
    expect(await erasures.emptyEvents(testLedger.erasure)).toEqual([3])
    expect(await erasures.open()).toMatchObject([{ waitingEvents: [3] }])
  })

  test('is searched once; later only what came since, and what is waited for', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    await keep(testLedger, [hint('8'), hint('7')])
    await ledger.inboundEvents.noteProcessed(1, { kind: 'judged' })
    await database.query(`UPDATE delivery SET arrived_at = arrived_at - interval '1 hour'`)
    const search = () => ledger.erasures.emptyEvents(erasure, { confirming: { hooks: 'campus' } })
    expect(await search()).toEqual([2])
    // Stands for an event that was searched already: as if its body had been about the person all along.
    await database.query(`UPDATE delivery SET body = (SELECT body FROM delivery WHERE id = 2) WHERE id = 1`)
    await keep(testLedger, [{ ...hint('7'), sent: 2 }])
    await ledger.inboundEvents.noteProcessed(2, { kind: 'judged' })
    await ledger.inboundEvents.noteProcessed(3, { kind: 'judged' })
    expect(await search()).toEqual([])
    expect(await bodies(testLedger)).toEqual(['judged', 'judged emptied', 'judged emptied'])
  })

  test('is searched once more right before anything is emptied', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    const search = () => ledger.erasures.emptyEvents(erasure, { confirming: { hooks: 'campus' } })
    const setState = (state: string) => withoutTriggers(database, 'UPDATE issuance SET state = $1', [state])
    await setState('held')
    expect(await search()).toEqual([])
    await keep(testLedger, [hint('7')])
    await ledger.inboundEvents.noteProcessed(1, { kind: 'judged' })
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(false)
    await setState('failed')
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(true)
    expect(await search()).toEqual([])
    expect(await bodies(testLedger)).toEqual(['judged emptied'])
    while ((await ledger.erasures.emptyNext(erasure)) > 0);
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(false)
  })

  test('is searched in what came since the last search, before anything is emptied', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    const search = { confirming: { hooks: 'campus' }, searched: new Set<number>() }
    await keep(testLedger, [hint('8')])
    expect(await ledger.erasures.emptyEvents(erasure, search)).toEqual([])
    await keep(testLedger, [hint('7'), { ...hint('7'), sent: 2 }])
    // Stands for an event that was searched already: as if its body had been about the person all along.
    await database.query(`UPDATE delivery SET body = (SELECT body FROM delivery WHERE id = 2) WHERE id = 1`)
    await ledger.inboundEvents.noteProcessed(2, { kind: 'judged' })
    expect(await ledger.erasures.emptyNext(erasure, search)).toBe(0)
    expect(await ledger.erasures.open()).toMatchObject([{ waitingEvents: [3] }])
    await ledger.inboundEvents.noteProcessed(3, { kind: 'judged' })
    expect(await ledger.erasures.emptyNext(erasure, search)).toBeGreaterThan(0)
    expect(await bodies(testLedger)).toEqual(['new', 'judged emptied', 'judged emptied'])
  })

  test.each(['keep', 'keepNamed'] as const)(
    'that is being recorded (%s) is searched before anything is emptied',
    async (verb) => {
      await using testLedger = await withLearner()
      const { ledger, database, erasure } = testLedger
      const body = JSON.stringify(hint('7'))
      let [emptying, isOver]: [Promise<number> | undefined, boolean] = [undefined, false]
      await database.transaction(async (sql) => {
        const ownTransaction = { query: sql.query, transaction: (work: (sql: Sql) => unknown) => work(sql) } as Database
        const events = inboundEventStore(ownTransaction, 'development')
        if (verb === 'keep') await events.keep([{ system: 'hooks', key: 'aa', headers: {}, body: Buffer.from(body) }])
        else await events.keepNamed('hooks', [{ key: 'aa', digest: 'd', body, voids: null }])
        emptying = ledger.erasures.emptyNext(erasure, { confirming: { hooks: 'campus' } }).finally(() => {
          isOver = true
        })
        await until('the emptying waits', async () => isOver || isAnyLockAwaited(database))
      })
      expect(await emptying).toBe(0)
      expect(await ledger.erasures.open()).toMatchObject([{ waitingEvents: [1] }])
    },
  )

  test('is searched once a minute for what is not emptied because of an event', async () => {
    await using testLedger = await withLearner()
    const { ledger, erasure } = testLedger
    await keep(testLedger, [hint('7')])
    expect(await ledger.erasures.emptyEvents(erasure, { confirming: { hooks: 'campus' } })).toEqual([1])
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(false)
  })

  test('is searched page by page, from where the last search stopped', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    await keep(testLedger, [hint('7')])
    const add = (count: number, minutes: number) =>
      database.query(
        `INSERT INTO delivery (environment, system, key, arrived_at, headers, body, state)
         SELECT environment, system, decode(md5(random()::text), 'hex'), clock_timestamp() - make_interval(mins => $2), '{}', $3, 'judged'
         FROM delivery, generate_series(1, $1) WHERE id = 1`,
        [count, minutes, Buffer.from(JSON.stringify(hint('7')))],
      )
    await add(1_200, 60)
    const search = (pages: number) => ledger.erasures.emptyEvents(erasure, { confirming: { hooks: 'campus' }, pages })
    const left = async () => (await database.query('SELECT FROM delivery WHERE body IS NOT NULL')).rowCount
    expect([await search(1), await left()]).toEqual([null, 702])
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(true)
    expect(await ledger.erasures.open()).toMatchObject([{ waitingEvents: [1] }])
    expect([await search(2), await left()]).toEqual([[1], 1])
    expect(await ledger.erasures.open()).toMatchObject([{ waitingEvents: [1] }])
    await ledger.inboundEvents.noteProcessed(1, { kind: 'judged' })
    expect([await search(1), await left()]).toEqual([[], 0])
    await withoutTriggers(database, `UPDATE issuance SET state = 'held'`)
    expect(await ledger.erasures.eventsAreDue(erasure)).toBe(false)
    // Those of the last minutes are not searched for good, and do not count.
    await add(600, 0)
    expect([await search(1), await left()]).toEqual([[], 0])
  })

  test('stays if it is needed to try the completion of somebody else again', async () => {
    await using testLedger = await openTestLedger()
    await keep(testLedger, [[hint('7'), hint('8')]])
    await testLedger.ledger.inboundEvents.noteProcessed(1, { kind: 'judged' })
    await ingest(testLedger, [aCompletion('7', 1, { delivery: 1 }), aCompletion('8', 1, { delivery: 1 })], {}, 'event')
    await publishRun(testLedger, ['8'])
    await settle(testLedger)
    const id = await request(testLedger, { ids: [1] })
    const { erasures, completions: store } = testLedger.ledger
    expect(await erasures.emptyEvents(id)).toEqual([1])
    expect(await bodies(testLedger)).toEqual(['judged'])
    expect(await store.tryAgain('spring', 'other rules')).toEqual(['hooks'])
  })
})
