// The claim of a batch, the outcome of its call, and the loss of its worker.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { openDatabase } from '#src/platform/database/database.ts'
import { describeWithDatabase, onServer } from '#test/support/database.ts'
import { aRecipient, recipients } from '#test/support/domain-objects.ts'
import { prepareOne } from '#test/support/prepare-one.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

const claimOf = (attemptId: number, instance = randomUUID()) => ({
  attemptId,
  instance,
  requestSha256: 'sha',
  deadlineMs: 90_000,
})

async function prepareBatch(testLedger: TestLedger, people = 3): Promise<number> {
  await testLedger.publish(recipients(people))
  return (await prepareOne(testLedger.ledger, 'spring', people)) as number
}

/** The number of connections that wait for a lock. */
async function blockedCount(testLedger: TestLedger): Promise<number> {
  const { count } = await testLedger.queryOne<{ count: number }>(
    `SELECT count(*) AS count FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return count
}

describeWithDatabase('a claim', () => {
  test('succeeds for only one of twenty concurrent callers', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepareBatch(ledger)
    const claims = await Promise.all(Array.from({ length: 20 }, () => ledger.ledger.attempts.claim(claimOf(attempt))))
    expect(claims.filter(Boolean)).toHaveLength(1)
    expect(await ledger.states()).toEqual(['sending', 'sending', 'sending'])
    expect(await ledger.ledger.attempts.claim(claimOf(attempt))).toBeNull()
    expect(await ledger.ledger.attempts.load(attempt)).toBeNull()
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.map((line) => line.event)).toEqual(['accepted', 'sending'])
  })

  test('has committed `sending` before it returns', async () => {
    await using ledger = await openTestLedger()
    await using other = openDatabase(ledger.url)
    const attempt = await prepareBatch(ledger)
    expect(await ledger.ledger.attempts.claim(claimOf(attempt))).toMatchObject({ number: 1 })
    const { rows } = await other.query('SELECT phase, deadline_at > sending_at AS later FROM attempt')
    expect(rows).toEqual([{ phase: 'sending', later: true }])
    expect((await other.query(`SELECT FROM issuance WHERE state = 'sending'`)).rowCount).toBe(3)
  })

  test('knows the claim before it, even if it waited for that one to be committed', async () => {
    await using ledger = await openTestLedger()
    const attempts: number[] = []
    for (let n = 1; n <= 6; n++) {
      await ledger.publish([aRecipient(n)])
      attempts.push((await prepareOne(ledger.ledger, 'spring', 1)) as number)
    }
    const claim = (attempt: number) => ledger.ledger.attempts.claim(claimOf(attempt))
    const [first, ...others] = attempts
    const firstClaim = await claim(first ?? 0)
    const waiting = await ledger.database.transaction(async (sql) => {
      await sql.query('SELECT FROM claim_counter FOR UPDATE')
      const claims = others.map(claim)
      await expect.poll(async () => (await blockedCount(ledger)) >= others.length).toBe(true)
      return claims
    })
    const inOrder = [firstClaim, ...(await Promise.all(waiting))].sort((a, b) => (a?.number ?? 0) - (b?.number ?? 0))
    expect(inOrder.map((each) => each?.before)).toEqual([null, ...inOrder.slice(0, -1).map((each) => each?.token)])
  })

  test.each([
    ['off', 'on'],
    ['local', 'on'],
    ['remote_write', 'on'],
    ['on', 'on'],
    ['remote_apply', 'remote_apply'],
  ])('is durable with synchronous_commit %s: at least %s is used', async (set, used) => {
    await using ledger = await openTestLedger()
    const name = new URL(ledger.url).pathname.slice(1)
    await onServer(`ALTER DATABASE ${name} SET synchronous_commit = ${set}`)
    await using database = openDatabase(ledger.url)
    await database.query(`CREATE TABLE used (how text)`)
    await database.query(
      `CREATE FUNCTION note_use() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO used VALUES (current_setting('synchronous_commit')); RETURN NULL; END $$`,
    )
    await database.query('CREATE TRIGGER used AFTER INSERT ON claim EXECUTE FUNCTION note_use()')
    const fresh = await openWholeLedger(database, 'development')
    await fresh.attempts.claim(claimOf(await prepareBatch(ledger)))
    const { rows } = await ledger.database.query<{ id: number }>(
      `INSERT INTO revocation (environment, credential_id, by) VALUES ('development', '1234', 'ada') RETURNING id`,
    )
    await fresh.revocations.claim(rows[0]?.id as number, 90_000)
    expect((await database.query<{ how: string }>('SELECT how FROM used')).rows.map(({ how }) => how)).toEqual([
      used,
      used,
    ])
    // Afterwards the connection has its previous setting again.
    expect((await database.query('SHOW synchronous_commit')).rows).toEqual([{ synchronous_commit: set }])
  })

  test('drops a batch if one of its rows has changed state, and releases the others', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepareBatch(ledger)
    await ledger.database.query(`UPDATE issuance SET state = 'unconfirmed' WHERE id = 2`)
    expect(await ledger.ledger.attempts.claim(claimOf(attempt))).toBeNull()
    expect(await ledger.queryOne('SELECT phase, sending_at, words FROM attempt')).toEqual({
      ...{ phase: 'dropped', sending_at: null, words: 'one of its rows has changed state in the meantime' },
    })
    expect(await ledger.issuances()).toMatchObject([
      { state: 'pending', due: 'now' },
      { state: 'unconfirmed' },
      { state: 'pending', due: 'now' },
    ])
    const again = (await prepareOne(ledger.ledger, 'spring', 10)) as number
    expect(await ledger.ledger.attempts.claim(claimOf(again))).not.toBeNull()
    expect(await ledger.states()).toEqual(['sending', 'unconfirmed', 'sending'])
  })

  test('records the times of the first call, for the baseline, and of the last', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'throttled', retryAfterMs: 0 })
    const sent = () =>
      ledger.queryOne<{ first: Date; last: Date }>('SELECT first_sent_at AS first, last_sent_at AS last FROM issuance')
    const once = await sent()
    expect(once.first).toEqual(once.last)
    await ledger.send()
    const twice = await sent()
    expect(twice.first).toEqual(once.first)
    expect(twice.last.getTime()).toBeGreaterThan(once.last.getTime())
  })

  test('fails for a dropped attempt, whose rows are picked again after a pause', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepareBatch(ledger)
    expect(await ledger.ledger.attempts.drop(attempt, 'the course is disabled', 60_000)).toBe(true)
    expect(await ledger.ledger.attempts.claim(claimOf(attempt))).toBeNull()
    expect(await ledger.issuances()).toMatchObject([{ due: 'later', reason: 'the course is disabled' }, {}, {}])
    await ledger.timePasses(60_000)
    const again = (await prepareOne(ledger.ledger, 'spring', 10)) as number
    expect((await ledger.ledger.attempts.load(again))?.recipients).toHaveLength(3)
  })

  test('keeps the attempt from being dropped', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    expect(await ledger.ledger.attempts.drop(await ledger.send(), 'too late', 0)).toBe(false)
    expect(await ledger.states()).toEqual(['sending'])
  })
})

describeWithDatabase('the outcome of a call', () => {
  test.each([
    ['accepted', 3, 'requested', 'now', 0],
    ['throttled', 3, 'pending', 'later', 0],
    ['too_large', 3, 'pending', 'now', 0],
    ['refused', 1, 'failed', 'now', 0],
    ['unknown', 3, 'unconfirmed', 'now', 3],
  ] as const)(
    '%s, for a batch of %i, leaves the rows %s and due %s, with %i of them open',
    async (kind, people, state, due, open) => {
      await using ledger = await openTestLedger()
      await ledger.publish(recipients(people))
      const attempt = await ledger.send()
      expect(await ledger.answer(attempt, { class: kind, status: 400 })).toBe(people)
      expect((await ledger.issuances()).map((each) => [each.state, each.due])).toEqual(Array(people).fill([state, due]))
      expect(await ledger.queryOne('SELECT count(open_attempt) AS open FROM issuance')).toEqual({ open })
      expect(await ledger.queryOne('SELECT phase, outcome, http_status AS status FROM attempt')).toEqual({
        phase: 'ended',
        outcome: kind,
        status: 400,
      })
      expect(await ledger.ledger.attempts.countOpen()).toBe(0)
    },
  )

  test('is recorded in the history, with the service’s message', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'refused', status: 400, words: 'Email is wrong' })
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained).toMatchObject({ state: 'failed', reason: 'the service refused it: Email is wrong' })
    expect(explained?.history.at(-1)).toMatchObject({
      event: 'call refused',
      attempt: 1,
      evidence: { outcome: 'refused', status: 400, words: 'Email is wrong' },
    })
  })

  test('lowers the course’s batch limit if it is too_large, to the smallest size so far', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    expect(await ledger.ledger.courses.learnedBatchLimit('spring')).toBeNull()
    await ledger.answer(await ledger.send(4), { class: 'too_large' })
    expect(await ledger.ledger.courses.learnedBatchLimit('spring')).toBe(2)
    await ledger.answer(await ledger.send(10), { class: 'too_large' })
    expect(await ledger.ledger.courses.learnedBatchLimit('spring')).toBe(2)
    expect(await ledger.ledger.courses.learnedBatchLimit('autumn')).toBeNull()
  })

  test('is recorded once: a late response changes nothing', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const attempt = await ledger.send()
    expect(await ledger.ledger.attempts.markLost(randomUUID())).toEqual([attempt])
    for (const kind of ['accepted', 'throttled', 'not_sent', 'refused'] as const)
      expect(await ledger.answer(attempt, { class: kind })).toBe(0)
    expect(await ledger.states()).toEqual(['unconfirmed', 'unconfirmed'])
    expect(await ledger.queryOne('SELECT outcome FROM attempt')).toEqual({ outcome: 'unknown' })
  })
})

describeWithDatabase('an attempt whose worker died', () => {
  test('is lost immediately if this process is the only worker, unless the attempt is its own', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepareBatch(ledger)
    const mine = randomUUID()
    await ledger.ledger.attempts.claim(claimOf(attempt, mine))
    expect(await ledger.ledger.attempts.markLost(mine)).toEqual([])
    expect(await ledger.ledger.attempts.markLost(null)).toEqual([])
    expect(await ledger.ledger.attempts.markLost(randomUUID())).toEqual([attempt])
    expect(await ledger.states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed'])
    const [explained] = await ledger.ledger.issuances.explain({ id: 1 })
    expect(explained?.history.at(-1)).toMatchObject({
      event: 'worker died while sending',
      evidence: { code: 'WORKER_DIED' },
    })
  })

  test('is lost when its deadline and a margin have passed, even if it is our own and its outcome could not be written', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepareBatch(ledger)
    const mine = randomUUID()
    await ledger.ledger.attempts.claim(claimOf(attempt, mine))
    await ledger.timePasses(91_000)
    expect(await ledger.ledger.attempts.markLost(null)).toEqual([])
    expect(await ledger.ledger.attempts.markLost(mine)).toEqual([])
    await ledger.timePasses(60_000)
    expect(await ledger.ledger.attempts.markLost(mine)).toEqual([attempt])
    expect(await ledger.ledger.attempts.markLost(null)).toEqual([])
  })

  test('is lost without a row of it that another call is sending now', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(4))
    const [dead, living] = [await ledger.send(2), await ledger.send(2)]
    await ledger.database.query(`UPDATE attempt SET deadline_at = '-infinity' WHERE id = $1`, [dead])
    await withoutTriggers(ledger.database, 'UPDATE issuance SET attempt_id = $1 WHERE id = 2', [living])
    expect(await ledger.ledger.attempts.markLost(null)).toEqual([dead])
    expect(await ledger.states()).toEqual(['unconfirmed', 'sending', 'sending', 'sending'])
  })

  test('is not lost before its claim, because its rows were not sent', async () => {
    await using ledger = await openTestLedger()
    await prepareBatch(ledger)
    expect(await ledger.ledger.attempts.markLost(randomUUID())).toEqual([])
    expect(await ledger.states()).toEqual(['pending', 'pending', 'pending'])
  })
})
