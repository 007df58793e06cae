// What retention empties once a list is old, what it leaves alone, and how its people are recognized afterwards.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import {
  aBadRow,
  aCourse,
  aRecipient,
  aReportItem,
  aStagedRow,
  type Recipient,
  recipients,
} from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const days = 30
const dayMs = 86_400_000
const phone = { Phone: '+49 30 1234567' }

/** Issues the people of a list, and writes its results. */
async function issue(testLedger: TestLedger, people: readonly Recipient[], name = 'people.csv'): Promise<string> {
  const run = await testLedger.publish(people, { name, more: [aBadRow(9_000)] })
  await finish(testLedger, people)
  return run
}

async function finish(testLedger: TestLedger, people: readonly Recipient[]): Promise<void> {
  const { ledger } = testLedger
  if ((await testLedger.states()).includes('pending')) {
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan(people.map((person) => aReportItem(person)))
  }
  await settle(ledger)
}

async function settle(ledger: TestLedger['ledger']): Promise<void> {
  for (const run of await ledger.runs.settle()) {
    const version = await ledger.writeBacks.wantedVersion(run)
    if (version !== null) await ledger.writeBacks.noteReported(run, version)
  }
}

/** Reads a list as intake does, with the fields that contain names. */
async function publishNamed({ ledger }: TestLedger, people: readonly Recipient[]): Promise<string> {
  const source = { pipeline: 'spring', sourceName: 'named.csv', sourcePath: '/named.csv', sourceSha256: randomUUID() }
  const { run } = await ledger.runs.receive(source)
  await ledger.intake.stage(
    run.id,
    people.map((person, index) => aStagedRow(index + 2, person, ledger.hasher)),
  )
  const about = { courseUuid: aCourse, format: 'csv', header: ['e_mail'], notices: [] }
  await ledger.intake.publish(run.id, { ...about, nameFields: ['First Name', 'Last Name'] }, people.length)
  return run.id
}

/** Moves everything that happened to lists back. */
async function daysPass({ database }: TestLedger, count: number): Promise<void> {
  const back = ['received_at', 'published_at', 'settled_at'].map(
    (name) => `${name} = ${name} - make_interval(days => $1)`,
  )
  await database.query(`UPDATE run SET ${back.join(', ')}`, [count])
}

/** Runs turns until nothing is left to do. @returns how many people were emptied */
async function expire({ ledger, database }: TestLedger, more: { days?: number; now?: Date } = {}): Promise<number> {
  const retention = { pipeline: 'spring', days, now: new Date(), ...more }
  while ((await ledger.retention.expireRows(retention, 2)).isBusy);
  await database.query(`UPDATE expiring_issuance SET looked_at = '-infinity'`)
  const ruleOf = () => ({ identity: [], occurrence: [], nameFields: [] })
  let emptied = 0
  for (let seen = 1; seen > 0; ) {
    const turn = await ledger.retention.expirePeople(retention, { ruleOf, limit: 2 })
    emptied += turn.emptied
    seen = turn.seen
  }
  for (const { id, kind } of await ledger.erasures.open()) {
    expect(kind).toBe('retention')
    while ((await ledger.erasures.emptyNext(id)) > 0);
    expect(await ledger.erasures.end(id)).toBe(true)
  }
  return emptied
}

const emptied = async ({ database }: TestLedger) =>
  (await database.query<{ id: number }>('SELECT id FROM issuance WHERE recipient IS NULL ORDER BY id')).rows.map(
    ({ id }) => id,
  )
const cellsLeft = async ({ database }: TestLedger, run: string) =>
  (
    await database.query<{ row: number }>(
      `SELECT row_number AS row FROM run_row WHERE run_id = $1 AND cells <> '[]' ORDER BY 1`,
      [run],
    )
  ).rows.map(({ row }) => row)

/** A list of persons 1 to 3 that is old, and a newer one of somebody else. */
async function openOldList(people: readonly Recipient[] = recipients(3)): Promise<TestLedger & { run: string }> {
  const testLedger = await openTestLedger()
  const run = await issue(testLedger, people)
  await daysPass(testLedger, days + 1)
  await issue(testLedger, [aRecipient(9)], 'newer.csv')
  return Object.assign(testLedger, { run })
}

describeWithDatabase('retention', () => {
  test('empties people and rows of an old list, and keeps what happened to them', async () => {
    await using testLedger = await openOldList()
    const { run, ledger } = testLedger
    expect(await expire(testLedger)).toBe(3)
    expect(await emptied(testLedger)).toEqual([1, 2, 3])
    expect(await cellsLeft(testLedger, run)).toEqual([])
    expect(await testLedger.states()).toEqual(['issued', 'issued', 'issued', 'issued'])
    const { rows } = await testLedger.database.query(
      `SELECT kind, pipeline, requested_by AS by, ended_at IS NOT NULL AS ended FROM erasure`,
    )
    expect(rows).toEqual([{ kind: 'retention', pipeline: 'spring', by: 'retentionDays', ended: true }])
    expect(
      await testLedger.queryOne(
        `SELECT violations->0->>'rule' AS rule, violations->0->>'sentence' AS sentence FROM run_row WHERE run_id = $1 AND outcome = 'invalid'`,
        [run],
      ),
    ).toEqual({ rule: 'required', sentence: '' })
    // Nobody asks for other files; one that is written again shows the true states.
    expect(await ledger.writeBacks.wantedVersion(run)).toBeNull()
    const shown: unknown[] = []
    await ledger.writeBacks.readRows(run, ['accepted'], async (found) => {
      for (const row of found) shown.push([row.state, row.credentialId !== null, row.reason, row.forgottenAt])
    })
    expect(shown).toEqual(Array(3).fill(['issued', true, null, null]))
  })

  test('waits for the whole time after the list came to rest', async () => {
    await using testLedger = await openOldList()
    await testLedger.database.query(
      `UPDATE run SET settled_at = clock_timestamp() - interval '29 days' WHERE id = $1`,
      [testLedger.run],
    )
    expect(await expire(testLedger)).toBe(0)
    // A clock that is ahead of the database's deletes nothing early.
    expect(await expire(testLedger, { now: new Date(Date.now() + 400 * dayMs) })).toBe(0)
    expect(await cellsLeft(testLedger, testLedger.run)).toHaveLength(4)
    expect(await expire(testLedger, { days: 28 })).toBe(3)
  })

  test('keeps the newest list, whatever runs came later, and empties it once there is a newer one', async () => {
    await using testLedger = await openTestLedger()
    const run = await issue(testLedger, recipients(2))
    await daysPass(testLedger, days + 1)
    await issue(testLedger, [aRecipient(5)], 'people.invalid.csv')
    const correction = await issue(testLedger, [aRecipient(6)], 'corrected.csv')
    const adoption = await issue(testLedger, [aRecipient(7)], 'adopted.csv')
    await testLedger.database.query(`UPDATE run SET corrects = 1 WHERE id = $1`, [correction])
    await testLedger.database.query(`UPDATE run SET adopts = 'Welding' WHERE id = $1`, [adoption])
    await testLedger.database.query(`UPDATE run SET source_path = 'completions:campus' WHERE id = $1`, [
      await issue(testLedger, [aRecipient(8)], 'campus'),
    ])
    expect(await expire(testLedger)).toBe(0)
    expect(await cellsLeft(testLedger, run)).toHaveLength(3)
    // The others are not compared with anything.
    await daysPass(testLedger, days + 1)
    await expire(testLedger)
    expect(await emptied(testLedger)).toHaveLength(4)
    await issue(testLedger, [aRecipient(9)], 'next.csv')
    expect(await expire(testLedger)).toBe(2)
  })

  test('keeps the people of a newer list, but not the cells of the old one', async () => {
    await using testLedger = await openTestLedger()
    const old = await issue(testLedger, recipients(3))
    await daysPass(testLedger, days + 1)
    const newer = await issue(testLedger, recipients(2))
    expect(await expire(testLedger)).toBe(1)
    expect(await emptied(testLedger)).toEqual([3])
    expect(await cellsLeft(testLedger, old)).toEqual([])
    expect(await cellsLeft(testLedger, newer)).toHaveLength(3)
  })

  test('does nothing while a list of the pipeline was not read yet, or is held by the brake', async () => {
    await using testLedger = await openOldList()
    const { run } = await testLedger.ledger.runs.receive({
      ...{ pipeline: 'spring', sourceName: 'waits.csv', sourcePath: '/waits.csv', sourceSha256: randomUUID() },
    })
    expect(await expire(testLedger)).toBe(0)
    await testLedger.database.query(
      `UPDATE run SET state = 'braked', braked_at = clock_timestamp(), would_accept = 9, braked_because = 'rows' WHERE id = $1`,
      [run.id],
    )
    expect(await expire(testLedger)).toBe(0)
    expect(await cellsLeft(testLedger, testLedger.run)).toHaveLength(4)
  })

  test('leaves alone whoever waits for a person or a system', async () => {
    await using testLedger = await openOldList(recipients(7))
    const { ledger, database } = testLedger
    await setState(database, 1, 'failed')
    await setState(database, 2, 'held')
    for (const [issuanceId, correction] of [[3, correctionOf(testLedger, 3)] as const, [4, null] as const]) {
      const credentialId = `credential-of-person.${issuanceId}@example.org`
      const decision = { by: 'ada', why: 'a slip' }
      await ledger.revocations.request({ credentialId, issuanceId, correction, decision })
    }
    await ledger.archives.watch([{ pipeline: 'spring', folder: '/archive' }])
    await database.query('UPDATE issuance SET archive_due_at = CASE WHEN id = 5 THEN clock_timestamp() END')
    await database.query(`INSERT INTO delivery (issuance_id, target, wanted) VALUES (6, 'campus', 'issued')`)
    await expire(testLedger)
    expect(await emptied(testLedger)).toEqual([7])
  })

  test('leaves alone whoever differs in a later list, which is to be decided', async () => {
    await using testLedger = await openOldList()
    await testLedger.publish([aRecipient(2, { 'First Name': 'Adele' })])
    await settle(testLedger.ledger)
    await daysPass(testLedger, days + 1)
    await issue(testLedger, [aRecipient(9)], 'newer.csv')
    await expire(testLedger)
    expect(await emptied(testLedger)).toEqual([1, 3])
  })

  test('empties a person whose revocation is over', async () => {
    await using testLedger = await openOldList()
    await testLedger.scan([aReportItem(aRecipient(2), { revoked_date: '2026-05-01' })])
    await settle(testLedger.ledger)
    await testLedger.database.query('UPDATE write_back SET written = wanted')
    await expire(testLedger)
    expect(await emptied(testLedger)).toEqual([1, 2, 3])
  })

  test('waits until the results of a list are written', async () => {
    await using testLedger = await openOldList()
    await testLedger.ledger.writeBacks.want(testLedger.run)
    expect(await expire(testLedger)).toBe(0)
    expect(await cellsLeft(testLedger, testLedger.run)).toHaveLength(4)
  })

  test('does not touch lists of another pipeline, nor whom they name', async () => {
    await using testLedger = await openOldList()
    const other = await testLedger.publish([aRecipient(1)], { pipeline: 'autumn' })
    await testLedger.publish([aRecipient(9)], { pipeline: 'autumn' })
    await settle(testLedger.ledger)
    await testLedger.database.query('UPDATE write_back SET written = wanted')
    await daysPass(testLedger, days + 1)
    await issue(testLedger, [aRecipient(9)], 'newer.csv')
    await expire(testLedger)
    expect(await emptied(testLedger)).toEqual([2, 3])
    expect(await cellsLeft(testLedger, other)).toHaveLength(1)
  })

  test('skips a person of an emptied list by the key, and issues nobody twice', async () => {
    await using testLedger = await openOldList()
    await expire(testLedger)
    const run = await publishNamed(testLedger, recipients(3))
    expect(await testLedger.ledger.runs.find(run)).toMatchObject({ accepted: 0, skipped: 3, known: 3, forgotten: 0 })
    // Their cells go with that list.
    await settle(testLedger.ledger)
    await testLedger.database.query('UPDATE write_back SET written = wanted')
    await daysPass(testLedger, days + 1)
    await issue(testLedger, [aRecipient(10)], 'next.csv')
    await expire(testLedger)
    expect(await cellsLeft(testLedger, run)).toEqual([])
  })

  test('reports a row with the key of an emptied person and another name, and issues who has another key', async () => {
    await using testLedger = await openOldList([aRecipient(1, phone)])
    expect(await expire(testLedger)).toBe(1)
    const elsewhere = { ...phone, Email: 'ada@elsewhere.example' }
    const run = await publishNamed(testLedger, [aRecipient(1, { 'First Name': 'Grace' }), aRecipient(1, elsewhere)])
    expect(await testLedger.ledger.runs.find(run)).toMatchObject({ accepted: 1, skipped: 0, invalid: 1 })
    expect(
      await testLedger.queryOne(
        `SELECT violations->0->>'rule' AS rule FROM run_row WHERE run_id = $1 AND outcome = 'invalid'`,
        [run],
      ),
    ).toEqual({ rule: 'forgotten_identity' })
  })

  test('recognizes a completion that is reported again, and keeps one that is to be corrected', async () => {
    await using testLedger = await openOldList()
    const { ledger, database, run } = testLedger
    await database.query(`UPDATE run SET source_path = 'completions:campus' WHERE id = $1`, [run])
    await database.query(
      `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, found_by, run_id, row_number, refused_by)
       SELECT 'development', 'spring', 'campus', learner, '7', '2026-01-01', '{"email": "person@example.org"}', 'taken', 'poll', $1, row_number, refused_by
       FROM (VALUES ('41', 2, NULL), ('42', 9000, 'rules')) c(learner, row_number, refused_by)`,
      [run],
    )
    expect(await expire(testLedger)).toBe(3)
    const { rows } = await database.query(`SELECT left(learner, 10) AS learner, cells FROM completion ORDER BY id`)
    expect(rows).toEqual([
      { learner: 'forgotten:', cells: {} },
      { learner: '42', cells: { email: 'person@example.org' } },
    ])
    const again = { course: '7', completedAt: new Date('2026-01-01'), cells: { email: 'person@example.org' } }
    const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    const reported = [{ learner: '41', ...again }]
    expect(await ledger.completions.ingest(source, reported, 'poll')).toMatchObject({ fresh: 0, forgotten: 1 })
  })

  test('empties a completion that came after the data of its person had expired, with its list', async () => {
    await using testLedger = await openOldList()
    const { ledger, database } = testLedger
    await expire(testLedger)
    const run = await publishNamed(testLedger, [aRecipient(1)])
    await database.query(`UPDATE run SET source_path = 'completions:campus' WHERE id = $1`, [run])
    await database.query(
      `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, found_by, run_id, row_number)
       VALUES ('development', 'spring', 'campus', '41', '7', '2026-01-01', '{"email": "person.1@example.org"}', 'taken', 'poll', $1, 2)`,
      [run],
    )
    await settle(ledger)
    await database.query('UPDATE write_back SET written = wanted')
    await expire(testLedger)
    const completion = () => testLedger.queryOne('SELECT left(learner, 10) AS learner, cells FROM completion')
    expect(await completion()).toMatchObject({ learner: '41' })
    await daysPass(testLedger, days + 1)
    await expire(testLedger)
    expect(await completion()).toEqual({ learner: 'forgotten:', cells: {} })
    const source = { system: 'campus', pipeline: 'spring', renewAfterMs: null }
    const again = { learner: '41', course: '7', completedAt: new Date('2026-01-01'), cells: { email: 'x' } }
    expect(await ledger.completions.ingest(source, [again], 'poll')).toMatchObject({ fresh: 0, forgotten: 1 })
  })

  /** A row with another name at the address of person 2, for whom nobody decided before its list expired. */
  async function openWaitingRow() {
    const testLedger = await openOldList()
    const run = await testLedger.publish([aRecipient(2, { 'First Name': 'Adele' })])
    await settle(testLedger.ledger)
    await daysPass(testLedger, days + 1)
    await issue(testLedger, [aRecipient(9)], 'newer.csv')
    await expire(testLedger)
    expect(await cellsLeft(testLedger, run)).toEqual([2])
    return Object.assign(testLedger, { waiting: run })
  }

  test('empties a row that waited when its list expired, once its person expires', async () => {
    await using testLedger = await openWaitingRow()
    // A later list shows the person as before.
    await testLedger.database.query('UPDATE run_row SET change_over = true WHERE changed_fields IS NOT NULL')
    expect(await expire(testLedger)).toBe(1)
    expect(await cellsLeft(testLedger, testLedger.waiting)).toEqual([])
  })

  test('empties it also if the person is forgotten before, and the row may be of somebody else', async () => {
    await using testLedger = await openWaitingRow()
    const { ledger, database, waiting } = testLedger
    await database.query(
      `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, found_by, run_id, row_number)
       VALUES ('development', 'spring', 'campus', 'adele', '7', '2026-01-01', '{"name": "Adele"}', 'taken', 'poll', $1, 2)`,
      [waiting],
    )
    const completion = () => testLedger.queryOne('SELECT left(learner, 10) AS learner, cells FROM completion')
    const id = await writeErasure(ledger, { ids: [2], completions: [] })
    while ((await ledger.erasures.emptyNext(id)) > 0);
    expect(await ledger.erasures.end(id)).toBe(true)
    expect(await cellsLeft(testLedger, waiting)).toEqual([2])
    expect(await completion()).toMatchObject({ learner: 'adele' })
    // As if a newer list had named the person, who then is in no queue.
    await database.query('DELETE FROM expiring_issuance')
    await expire(testLedger)
    expect(await cellsLeft(testLedger, waiting)).toEqual([])
    expect(await completion()).toEqual({ learner: 'forgotten:', cells: {} })
  })

  test('lets somebody be forgotten of whom there is only a completion that is to be corrected', async () => {
    await using testLedger = await openOldList()
    const { ledger, database, run } = testLedger
    const { Email, 'First Name': firstname, 'Last Name': lastname } = aRecipient(7)
    await database.query(`UPDATE run SET source_path = 'completions:campus' WHERE id = $1`, [run])
    await database.query(
      `INSERT INTO completion (environment, pipeline, system, learner, course, completed_at, cells, state, found_by, run_id, row_number, refused_by)
       VALUES ('development', 'spring', 'campus', '42', '7', '2026-01-01', $2, 'taken', 'poll', $1, 9000, 'rules')`,
      [run, JSON.stringify({ Email, 'First Name': firstname, 'Last Name': lastname })],
    )
    await expire(testLedger)
    const id = await writeErasure(ledger, { ids: [], completions: [1] })
    while ((await ledger.erasures.emptyNext(id)) > 0);
    expect(await ledger.erasures.end(id)).toBe(true)
    const list = await publishNamed(testLedger, [aRecipient(7)])
    expect(await ledger.runs.find(list)).toMatchObject({ accepted: 0, forgotten: 1 })
  })

  test('leaves nothing of a person who asks to be forgotten afterwards', async () => {
    await using testLedger = await openOldList()
    const { ledger } = testLedger
    await expire(testLedger)
    const run = await publishNamed(testLedger, recipients(3))
    const id = await writeErasure(ledger, { ids: [1], completions: [] })
    while ((await ledger.erasures.emptyNext(id)) > 0);
    expect(await ledger.erasures.end(id)).toBe(true)
    expect(await cellsLeft(testLedger, run)).toEqual([3, 4])
  })

  test('of nightly lists keeps those of 30 days, and people for as long as these name them', async () => {
    await using testLedger = await openTestLedger()
    let sent = 0
    // Everybody is listed for 40 nights, and somebody comes every tenth night.
    const listedOn = (night: number) =>
      recipients(40).filter((_, index) => index * 10 <= night && night < index * 10 + 40)
    for (let night = 0; night < 120; night += 5) {
      const people = listedOn(night)
      await testLedger.publish(people)
      sent += (await testLedger.states()).filter((state) => state === 'pending').length
      await finish(testLedger, people)
      await daysPass(testLedger, 5)
      await expire(testLedger)
    }
    expect(sent).toBe(12)
    expect(await testLedger.states()).toEqual(Array(12).fill('issued'))
    // Nights 95 to 115 are not old. Person 6 was listed until night 85.
    const { rows } = await testLedger.database.query<{ gone: boolean }>(
      'SELECT recipient IS NULL AS gone FROM issuance ORDER BY id',
    )
    expect(rows.map(({ gone }) => gone)).toEqual([...Array(6).fill(true), ...Array(6).fill(false)])
    const { lists } = await testLedger.queryOne<{ lists: number }>(
      `SELECT count(DISTINCT run_id) AS lists FROM run_row WHERE cells <> '[]'`,
    )
    expect(lists).toBe(5)
  }, 120_000)
})

async function setState(database: TestLedger['database'], id: number, state: 'failed' | 'held') {
  await database.query('ALTER TABLE issuance DISABLE TRIGGER USER')
  await database.query(`UPDATE issuance SET state = $2, credential_id = NULL WHERE id = $1`, [id, state])
  await database.query('ALTER TABLE issuance ENABLE TRIGGER USER')
}
