// What an erasure empties and what it keeps, what it waits for, and how it ends.

import { expect, test } from 'vitest'
import { CorrectionInProgressError } from '#src/extensions/privacy/ledger/write-erasure.ts'
import { correctionOf } from '#test/guarantees/interleavings/scene.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow, aRecipient, aReportItem, byPrimaryValue, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'
import { writeErasure } from '#test/support/write-erasure.ts'

const request = ({ ledger }: TestLedger, ids: number[], more: Parameters<typeof writeErasure>[1] = {}) =>
  writeErasure(ledger, { ids, ...more })
const issuancesOf = async ({ ledger }: TestLedger, id: string) => (await ledger.erasures.content(id)).issuances

/** Issues three people from one list with an invalid row, and returns the list's run. */
async function openIssued(testLedger: TestLedger): Promise<string> {
  const run = await testLedger.publish(recipients(3), { more: [aBadRow(9)] })
  await testLedger.answer(await testLedger.send(), { class: 'accepted' })
  await testLedger.scan(recipients(3).map((person) => aReportItem(person)))
  return run
}

async function carryOut({ ledger }: TestLedger, id: string): Promise<boolean> {
  while ((await ledger.erasures.emptyNext(id)) > 0);
  return ledger.erasures.end(id)
}

/** Every place of the ledger's tables in which the text stands. */
async function placesOf({ database }: TestLedger, text: string): Promise<string[]> {
  const { rows: tables } = await database.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'credsync' AND table_type = 'BASE TABLE' ORDER BY 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const { rows } = await database.query<{ count: number }>(
      `SELECT count(*) AS count FROM ${name} t WHERE strpos(to_jsonb(t)::text, $1) > 0`,
      [text],
    )
    if (rows[0]?.count) found.push(name)
  }
  return found
}

async function isAnyoneWaiting({ database }: TestLedger): Promise<boolean> {
  const waiting = await database.query(
    `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return waiting.rowCount > 0
}

describeWithDatabase('an erasure', () => {
  test('empties every row of its person, and none of anybody else', async () => {
    await using testLedger = await openTestLedger()
    const run = await openIssued(testLedger)
    await testLedger.publish([aRecipient(2, { Title: 'Countess2' })])
    await testLedger.publish([aRecipient(2, { 'First Name': 'Adele2' })])
    await testLedger.database.query(
      `INSERT INTO history (issuance_id, event, evidence) VALUES (2, 'revocation refused', '{"revocation": 7, "words": "Ada2 is wrong"}')`,
    )
    await testLedger.database.query(`UPDATE attempt SET words = 'Ada2 is wrong'`)
    expect(await placesOf(testLedger, 'Ada2')).toEqual(['attempt', 'history', 'issuance', 'run_row'])
    expect(await placesOf(testLedger, 'Countess2')).toEqual(['run_row'])
    const who = { text: 'i2', issuance: 2, row: null, learner: null }
    const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
    const { id, people } = await testLedger.ledger.erasures.request([who], asked, () => null)
    expect(people).toMatchObject([{ ids: [2], rows: [{ row: 2 }], others: { rows: [{ row: 2 }] } }])
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(await placesOf(testLedger, 'Ada2')).toEqual([])
    expect(await placesOf(testLedger, 'Countess2')).toEqual([])
    // With another name it is somebody else, who shares the address.
    expect(await placesOf(testLedger, 'Adele2')).toEqual(['run_row'])
    // The results are the credential's: what the service shows of it stays.
    expect(await placesOf(testLedger, 'person.2@')).toEqual([
      'history',
      'issuance',
      'report_claim',
      'run_row',
      'sighting',
    ])
    expect(
      await testLedger.queryOne(
        `SELECT forgotten_at AS forgotten, changed_fields AS fields, change_over AS over, reason LIKE 'known from%' AS says FROM run_row WHERE cells ? 'Adele2'`,
      ),
    ).toEqual({ forgotten: null, fields: ['First Name'], over: true, says: true })
    expect(await placesOf(testLedger, 'Ada1')).toEqual(['issuance', 'run_row'])
    expect(
      await testLedger.queryOne(
        `SELECT state, reason LIKE 'forgotten on 20__-__-__' AS says, recipient, archive_due_at AS archive, credential_id IS NOT NULL AS credential FROM issuance WHERE id = 2`,
      ),
    ).toEqual({ state: 'issued', says: true, recipient: null, archive: null, credential: true })
    expect(
      await testLedger.queryOne(
        'SELECT count(*) AS rows, count(forgotten_at) AS forgotten FROM run_row WHERE run_id = $1',
        [run],
      ),
    ).toEqual({ rows: 4, forgotten: 1 })
    expect(await testLedger.queryOne(`SELECT evidence FROM history WHERE event = 'revocation refused'`)).toEqual({
      evidence: { revocation: 7 },
    })
    expect(await testLedger.ledger.erasures.open()).toEqual([])
  })

  test('empties what the service wrote of a batch, and what of it others have in their history', async () => {
    await using testLedger = await openTestLedger()
    const { database, queryOne } = testLedger
    await testLedger.publish(recipients(2))
    await testLedger.answer(await testLedger.send(), { class: 'refused', words: 'ADA2 is no name.' })
    await withoutTriggers(database, `UPDATE issuance SET state = 'failed'`)
    await testLedger.publish([aRecipient(1, { Email: 'x@example.org' }), aRecipient(2, { Email: 'y@example.org' })])
    await testLedger.answer(await testLedger.send(), { class: 'refused', words: 'Some name is wrong.' })
    await withoutTriggers(database, `UPDATE issuance SET state = 'failed'`)
    await database.query(
      `INSERT INTO archived_certificate (issuance_id, problem) VALUES (2, 'No Ada2.'), (1, 'No Ada1.')`,
    )
    const id = await request(testLedger, [2, 4])
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(await placesOf(testLedger, 'ADA2')).toEqual(['issuance'])
    expect(await placesOf(testLedger, 'No Ada')).toEqual(['archived_certificate'])
    expect(await queryOne('SELECT count(words) AS words FROM attempt')).toEqual({ words: 0 })
    const { rows } = await database.query(
      `SELECT DISTINCT issuance_id AS id, evidence->>'words' AS words FROM history WHERE attempt_id IS NOT NULL AND evidence ? 'outcome' ORDER BY 1`,
    )
    expect(rows).toEqual([
      { id: 1, words: null },
      { id: 2, words: null },
      { id: 3, words: 'Some name is wrong.' },
      { id: 4, words: null },
    ])
    const rewrite = (evidence: string) =>
      database.query(`UPDATE history SET evidence = ${evidence} WHERE issuance_id = 3`)
    await expect(rewrite(`evidence - 'words'`)).rejects.toThrow('append-only')
  })

  test('keeps the rule and the field of an invalid row, without its values', async () => {
    await using testLedger = await openTestLedger()
    const run = await openIssued(testLedger)
    await testLedger.ledger.writeBacks.want(run)
    const id = await request(testLedger, [], { rows: [{ run, row: 9 }] })
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(
      await testLedger.queryOne('SELECT cells, violations FROM run_row WHERE run_id = $1 AND row_number = 9', [run]),
    ).toEqual({
      cells: [],
      violations: [{ row: 9, column: 'e_mail', field: 'Email', rule: 'required', value: '', sentence: '' }],
    })
  })

  test('withdraws rows that wait, at once, and gives the others of their batch back', async () => {
    await using testLedger = await openTestLedger()
    await testLedger.publish(recipients(3))
    const { ledger } = testLedger
    const attempt = (await prepareOne(ledger, 'spring', 3)) ?? 0
    await request(testLedger, [2])
    expect(await testLedger.states()).toEqual(['pending', 'failed', 'pending'])
    expect((await testLedger.issuances()).map(({ due }) => due)).toEqual(['now', 'out of sight', 'now'])
    const claim = { attemptId: attempt, instance: crypto.randomUUID(), requestSha256: 'sha', deadlineMs: 90_000 }
    expect(await ledger.attempts.claim(claim)).toBeNull()
  })

  test('deletes the photograph of a row that was withdrawn or refused', async () => {
    await using testLedger = await openTestLedger()
    const run = await testLedger.publish(recipients(2), { more: [aBadRow(9)] })
    for (const [n, where] of [
      'issuance WHERE id = 1',
      'issuance WHERE id = 2',
      'run_row WHERE row_number = 9',
    ].entries()) {
      await testLedger.database.query(`INSERT INTO image (sha256, bytes, type) VALUES (sha256('${n}'), '${n}', 'png')`)
      const [table, condition] = where.split(' WHERE ')
      await testLedger.database.query(`UPDATE ${table} SET image_sha256 = sha256('${n}') WHERE ${condition}`)
    }
    const id = await request(testLedger, [1], { rows: [{ run, row: 9 }] })
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(await testLedger.queryOne("SELECT array_agg(convert_from(bytes, 'UTF8')) AS kept FROM image")).toEqual({
      kept: ['1'],
    })
  })

  test('deletes the photograph although the process was killed after the row was emptied', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database, queryOne } = testLedger
    await testLedger.publish(recipients(1))
    const id = await request(testLedger, [1])
    await ledger.erasures.emptyNext(id)
    await database.query(`INSERT INTO image (sha256, bytes, type) VALUES (sha256('1'), '1', 'png')`)
    expect(await ledger.erasures.emptyNext(id)).toBe(0)
    expect(await ledger.erasures.end(id)).toBe(true)
    expect(await queryOne('SELECT count(*) AS kept FROM image')).toEqual({ kept: 0 })
  })

  test('waits for calls and held rows, and never lets their rows be sent again', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await testLedger.publish(recipients(2))
    const attempt = await testLedger.send()
    await testLedger.database.query(`UPDATE issuance SET state = 'unconfirmed' WHERE id = 2`)
    await testLedger.database.query(`UPDATE issuance SET state = 'held' WHERE id = 2`)
    const id = await request(testLedger, [1, 2])
    expect(await carryOut(testLedger, id)).toBe(false)
    expect(await ledger.erasures.waiting(id)).toEqual([
      { waitsFor: 'a decision', count: 1, ids: [2] },
      { waitsFor: 'its call', count: 1, ids: [1] },
    ])
    await testLedger.answer(attempt, { class: 'not_sent' })
    await ledger.decisions.resolve([2], 'not sent', { by: 'ada', why: '' })
    await testLedger.database.query(`UPDATE issuance SET state = 'pending' WHERE state = 'unconfirmed'`)
    expect(await testLedger.states()).toEqual(['pending', 'pending'])
    expect((await testLedger.issuances()).map(({ due }) => due)).toEqual(['out of sight', 'out of sight'])
    expect(await ledger.erasures.withdraw(id)).toBe(2)
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(await testLedger.states()).toEqual(['failed', 'failed'])
  })

  test('revokes first if that is wanted, and goes on if it is refused', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    const id = await request(testLedger, [1, 2], { revokes: true })
    expect(await ledger.erasures.emptyNext(id)).toBe(0)
    expect([await ledger.erasures.revoke(id), await ledger.erasures.revoke(id)]).toEqual([2, 0])
    expect(await ledger.erasures.waiting(id)).toEqual([{ waitsFor: 'its revocation', count: 2, ids: [1, 2] }])
    await database.query(`UPDATE revocation SET state = 'refused', words = 'No.' WHERE issuance_id = 1`)
    expect(await ledger.erasures.emptyNext(id)).toBe(1)
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 2`)
    expect(await carryOut(testLedger, id)).toBe(true)
    expect(await testLedger.states()).toEqual(['issued', 'revoked', 'issued'])
    expect(await ledger.erasures.list()).toMatchObject([
      { notRevoked: [{ issuanceId: 1, credentialId: 'credential-of-person.1@example.org' }] },
    ])
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    expect(await ledger.erasures.list()).toMatchObject([{ notRevoked: [] }])
  })

  test.each([true, false])(
    'keeps nothing of what the service writes of a revocation (ends before: %s)',
    async (ends) => {
      await using testLedger = await openTestLedger()
      const { ledger, queryOne } = testLedger
      await openIssued(testLedger)
      const erasure = await request(testLedger, [1])
      if (ends) expect(await carryOut(testLedger, erasure)).toBe(true)
      const credentialId = 'credential-of-person.1@example.org'
      const decision = { by: 'eve', why: 'as asked' }
      const { id } = await ledger.revocations.request({ credentialId, issuanceId: 1, correction: null, decision })
      const claim = await ledger.revocations.claim(id, 90_000)
      if (!ends) expect(await carryOut(testLedger, erasure)).toBe(true)
      const answer = { class: 'refused', status: 409, code: 'LOCKED', words: 'Ada1 Lovelace is locked.' } as const
      if (claim) await ledger.revocations.end({ id, claim }, answer, { state: 'refused', waitMs: 0 })
      expect(await queryOne('SELECT state, error_code AS code FROM revocation')).toEqual({
        state: 'refused',
        code: 'LOCKED',
      })
      expect(await placesOf(testLedger, 'Ada1')).toEqual([])
    },
  )

  test('empties what the service writes of a revocation while the erasure waits for it', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    const id = await request(testLedger, [1])
    await database.query(
      `INSERT INTO revocation (environment, credential_id, issuance_id, by, state) VALUES ('development', 'C-1', 1, 'eve', 'sending')`,
    )
    const ending = await database.session()
    await ending.query('BEGIN')
    await ending.query(`UPDATE revocation SET state = 'refused', words = 'Ada1 is locked.'`)
    await ending.query(
      `INSERT INTO history (issuance_id, event, evidence) SELECT issuance_id, 'revocation refused', jsonb_build_object('words', words) FROM revocation`,
    )
    const emptying = ledger.erasures.emptyNext(id)
    await until('the emptying waits', () => isAnyoneWaiting(testLedger))
    await ending.query('COMMIT')
    await ending.release()
    expect(await emptying).toBe(1)
    expect(await placesOf(testLedger, 'Ada1')).toEqual([])
  })

  test('keeps nothing of a revocation that ends while its data are emptied', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    await request(testLedger, [1])
    const decision = { by: 'eve', why: 'as asked' }
    const { id } = await ledger.revocations.request({ credentialId: 'C-1', issuanceId: 1, correction: null, decision })
    const claim = await ledger.revocations.claim(id, 90_000)
    if (!claim) return expect.unreachable()
    // The part of the emptying that is about revocations.
    const emptying = await database.session()
    await emptying.query('BEGIN')
    await emptying.query('UPDATE revocation SET words = NULL')
    await emptying.query('UPDATE erased_issuance SET emptied_at = clock_timestamp()')
    const answer = { class: 'refused', status: 409, code: 'LOCKED', words: 'Ada1 is locked.' } as const
    const ending = ledger.revocations.end({ id, claim }, answer, { state: 'refused', waitMs: 0 })
    await until('the call waits', () => isAnyoneWaiting(testLedger))
    await emptying.query('COMMIT')
    await emptying.release()
    expect(await ending).toMatchObject({ rows: 1 })
    expect(await placesOf(testLedger, 'Ada1 is')).toEqual([])
  })

  test('waits for a learning system to take a revocation, seven days after it at most', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    await database.query(
      `INSERT INTO delivery (issuance_id, target, wanted, state) VALUES (1, 'campus', 'issued', 'verified')`,
    )
    const id = await request(testLedger, [1], { revokes: true })
    await database.query(`UPDATE erasure SET requested_at = clock_timestamp() - interval '169 hours'`)
    await database.query(`UPDATE issuance SET state = 'revoked' WHERE id = 1`)
    expect(await carryOut(testLedger, id)).toBe(false)
    expect(await ledger.erasures.waiting(id)).toMatchObject([{ waitsFor: 'a learning system', ids: [1] }])
    await withoutTriggers(database, `UPDATE issuance SET state_since = clock_timestamp() - interval '169 hours'`)
    expect(await carryOut(testLedger, id)).toBe(true)
  })

  test('waits for a learning system, seven days at most', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    await database.query(`INSERT INTO delivery (issuance_id, target, wanted) VALUES (1, 'campus', 'issued')`)
    const id = await request(testLedger, [1])
    expect(await ledger.erasures.emptyNext(id)).toBe(0)
    expect(await ledger.erasures.waiting(id)).toMatchObject([{ waitsFor: 'a learning system' }])
    await withoutTriggers(database, `UPDATE issuance SET state_since = clock_timestamp() - interval '169 hours'`)
    expect(await carryOut(testLedger, id)).toBe(false)
    await database.query(`UPDATE erasure SET requested_at = clock_timestamp() - interval '169 hours'`)
    expect(await carryOut(testLedger, id)).toBe(true)
  })

  test('waits until it is recorded what a learning system is to be told of a credential, and not for rows of files', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const run = await openIssued(testLedger)
    const others = await testLedger.publish([aRecipient(8)])
    await testLedger.answer(await testLedger.send(), { class: 'accepted' })
    await testLedger.scan([aReportItem(aRecipient(8))])
    await database.query(`UPDATE run SET settled_at = NULL, source_path = 'completions:campus' WHERE id = $1`, [run])
    await database.query('UPDATE run SET settled_at = NULL, corrects = 2 WHERE id = $1', [others])
    const id = await request(testLedger, [1, 4])
    await ledger.erasures.emptyNext(id)
    const waiting = [{ waitsFor: 'a learning system', count: 2, ids: [1, 4] }]
    expect(await ledger.erasures.waiting(id)).toEqual(waiting)
    await withoutTriggers(database, 'UPDATE run SET settled_at = clock_timestamp()')
    for (const each of [run, others]) await ledger.writeBacks.want(each)
    expect(await carryOut(testLedger, id)).toBe(false)
    expect(await ledger.erasures.waiting(id)).toEqual(waiting)
    for (const each of [run, others]) await ledger.writeBacks.noteReported(each, 9)
    expect(await carryOut(testLedger, id)).toBe(true)
  })

  test('waits seven days at most for a list that does not come to rest', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    await database.query('UPDATE run SET settled_at = NULL')
    const ofFile = await request(testLedger, [3])
    expect(await carryOut(testLedger, ofFile)).toBe(true)
    await database.query(`UPDATE run SET source_path = 'completions:campus'`)
    const id = await request(testLedger, [1])
    expect(await carryOut(testLedger, id)).toBe(false)
    await withoutTriggers(database, `UPDATE issuance SET state_since = clock_timestamp() - interval '169 hours'`)
    await database.query(`UPDATE erasure SET requested_at = clock_timestamp() - interval '169 hours'`)
    expect(await carryOut(testLedger, id)).toBe(true)
    expect((await ledger.erasures.list()).every(({ endedAt }) => endedAt !== null)).toBe(true)
  })

  test('is refused while a correction is in progress, and ends one that was refused', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    const credentialId = 'credential-of-person.1@example.org'
    const decision = { by: 'ada', why: '' }
    const correction = correctionOf(testLedger, 1)
    await ledger.revocations.request({ credentialId, issuanceId: 1, correction, decision })
    await expect(request(testLedger, [1])).rejects.toThrow(CorrectionInProgressError)
    expect(await ledger.erasures.list()).toEqual([])
    await database.query(`UPDATE revocation SET state = 'not_applied'`)
    await request(testLedger, [1])
    expect(await testLedger.queryOne('SELECT correction FROM revocation')).toEqual({ correction: null })
  })

  test('takes what a correction replaced, and what took its place', async () => {
    await using testLedger = await openTestLedger()
    await openIssued(testLedger)
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET corrects = 1 WHERE id = 2')
    await withoutTriggers(testLedger.database, 'UPDATE issuance SET corrects = 2 WHERE id = 3')
    expect(await issuancesOf(testLedger, await request(testLedger, [2]))).toEqual([1, 2, 3])
  })

  test('keeps keyed hashes, unless the person is released: then a list issues the person again', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await openIssued(testLedger)
    const id = await request(testLedger, [1])
    await carryOut(testLedger, id)
    const counts =
      'SELECT (SELECT count(*) FROM erased_identifier) AS hashes, count(name_hash) AS names FROM erased_person'
    expect(await testLedger.queryOne(counts)).toEqual({ hashes: 1, names: 1 })
    const later = await request(testLedger, [1], { releases: true })
    expect(await ledger.erasures.open()).toMatchObject([{ id: later, releases: true }])
    expect(await carryOut(testLedger, later)).toBe(true)
    expect(await testLedger.queryOne(counts)).toEqual({ hashes: 0, names: 0 })
    await testLedger.publish([aRecipient(1)])
    expect(await testLedger.states()).toEqual(['issued', 'issued', 'issued', 'pending'])
  })

  test('is known by its day, for each of its people and for nobody else', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    await openIssued(testLedger)
    await request(testLedger, [1])
    await request(testLedger, [3])
    await database.query(
      `UPDATE erasure SET requested_at = '2026-03-01T23:00:00Z' WHERE id = (SELECT erasure_id FROM erased_issuance WHERE issuance_id = 3)`,
    )
    const days = await ledger.issuances.forgottenOf([1, 2, 3])
    expect([days.size, days.get(3), days.get(1)?.day === days.get(3)?.day]).toEqual([
      ...[2, { kind: 'request', day: '2026-03-01' }, false],
    ])
    expect((await ledger.issuances.states([2, 3])).get(3)).toMatchObject({ forgotten: { day: '2026-03-01' } })
  })

  test('takes what was published of its person after they were shown, and nothing of others', async () => {
    await using testLedger = await openTestLedger()
    const { ledger } = testLedger
    await openIssued(testLedger)
    const who = { text: 'i2', issuance: 2, row: null, learner: null }
    const identity = { ...byPrimaryValue, identity: ['Register'] }
    const row = (n: number, more: Record<string, string>) => aRecipient(n, { Register: `r${n}`, ...more })
    const again = [row(2, {}), row(2, { Register: 'r4', 'First Name': 'Adele' }), row(1, { Register: 'r5' })]
    expect(await ledger.erasures.find([who], () => null)).toMatchObject([{ ids: [2] }])
    await testLedger.publish(again, { rule: identity })
    const asked = { by: 'ada', reason: 'a letter', revokes: false, releases: false }
    const { id, people } = await ledger.erasures.request([who], asked, () => null)
    expect(people).toMatchObject([{ ids: [2, 4], others: { ids: [5] } }])
    expect(await issuancesOf(testLedger, id)).toEqual([2, 4])
    expect(await testLedger.states()).toEqual(['issued', 'issued', 'issued', 'failed', 'pending', 'pending'])
  })

  test('of another environment is not touched', async () => {
    await using testLedger = await openTestLedger()
    await openIssued(testLedger)
    await withoutTriggers(testLedger.database, `UPDATE issuance SET environment = 'production' WHERE id = 1`)
    expect(await issuancesOf(testLedger, await request(testLedger, [1]))).toEqual([])
  })
})
