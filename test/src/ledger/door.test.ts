// The one-way door, and what becomes of a batch behind it.

import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { openDatabase } from '#src/database/database.ts'
import { recipients } from '#test/support/build.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger, type TestLedger } from '#test/support/ledger.ts'

const doorOf = (attemptId: number, instance = randomUUID()) => ({
  attemptId,
  instance,
  requestSha256: 'sha',
  deadlineMs: 90_000,
})

async function prepared(of: TestLedger, people = 3): Promise<number> {
  await of.publish(recipients(people))
  return (await of.ledger.prepareAttempt('spring', people)) as number
}

describeWithDatabase('the door', () => {
  test('is passed by one of twenty', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepared(ledger)
    const passed = await Promise.all(Array.from({ length: 20 }, () => ledger.ledger.passDoor(doorOf(attempt))))
    expect(passed.filter(Boolean)).toHaveLength(1)
    expect(await ledger.states()).toEqual(['sending', 'sending', 'sending'])
    expect(await ledger.ledger.passDoor(doorOf(attempt))).toBe(false)
    expect(await ledger.ledger.loadBatch(attempt)).toBeNull()
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.map((line) => line.event)).toEqual(['accepted', 'sending'])
  })

  test('has committed `sending` for everybody when it says yes', async () => {
    await using ledger = await openTestLedger()
    await using other = openDatabase(ledger.url)
    const attempt = await prepared(ledger)
    expect(await ledger.ledger.passDoor(doorOf(attempt))).toBe(true)
    const { rows } = await other.query('SELECT phase, deadline_at > sending_at AS later FROM attempt')
    expect(rows).toEqual([{ phase: 'sending', later: true }])
    expect((await other.query(`SELECT FROM issuance WHERE state = 'sending'`)).rowCount).toBe(3)
  })

  test('leaves no trace when it cannot be passed whole', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepared(ledger)
    await ledger.database.query(`UPDATE issuance SET state = 'sending' WHERE id = 2`)
    await expect(ledger.ledger.passDoor(doorOf(attempt))).rejects.toThrow('nothing of it was sent')
    expect(await ledger.states()).toEqual(['pending', 'sending', 'pending'])
    expect(await ledger.one('SELECT phase, sending_at FROM attempt')).toEqual({ phase: 'prepared', sending_at: null })
  })

  test('remembers the first sending, for the baseline, and the last', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'throttled', retryAfterMs: 0 })
    const sent = () =>
      ledger.one<{ first: Date; last: Date }>('SELECT first_sent_at AS first, last_sent_at AS last FROM issuance')
    const once = await sent()
    expect(once.first).toEqual(once.last)
    await ledger.send()
    const twice = await sent()
    expect(twice.first).toEqual(once.first)
    expect(twice.last.getTime()).toBeGreaterThan(once.last.getTime())
  })

  test('is closed to a dropped attempt, whose rows are picked again when they have waited', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepared(ledger)
    expect(await ledger.ledger.dropAttempt(attempt, 'the course is disabled', 60_000)).toBe(true)
    expect(await ledger.ledger.passDoor(doorOf(attempt))).toBe(false)
    expect(await ledger.standing()).toMatchObject([{ due: 'later', reason: 'the course is disabled' }, {}, {}])
    await ledger.timePasses(60_000)
    const again = (await ledger.ledger.prepareAttempt('spring', 10)) as number
    expect((await ledger.ledger.loadBatch(again))?.recipients).toHaveLength(3)
  })

  test('cannot be dropped from behind', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    expect(await ledger.ledger.dropAttempt(await ledger.send(), 'too late', 0)).toBe(false)
    expect(await ledger.states()).toEqual(['sending'])
  })
})

describeWithDatabase('the end of a call', () => {
  test.each([
    ['accepted', 3, 'requested', 'now', 0],
    ['not_sent', 3, 'pending', 'later', 0],
    ['throttled', 3, 'pending', 'later', 0],
    ['too_large', 3, 'pending', 'now', 0],
    ['too_large', 1, 'failed', 'now', 0],
    ['refused', 3, 'unconfirmed', 'now', 3],
    ['refused', 1, 'failed', 'now', 0],
    ['unknown', 3, 'unconfirmed', 'now', 3],
    ['unknown', 1, 'unconfirmed', 'now', 1],
  ] as const)(
    '%s for a batch of %i leaves its rows %s, due %s, %i of them to be looked for',
    async (kind, people, state, due, open) => {
      await using ledger = await openTestLedger()
      await ledger.publish(recipients(people))
      const attempt = await ledger.send()
      expect(await ledger.answer(attempt, { class: kind, status: 400 })).toBe(people)
      expect((await ledger.standing()).map((each) => [each.state, each.due])).toEqual(Array(people).fill([state, due]))
      expect(await ledger.one('SELECT count(*) AS open FROM attempt_item WHERE open')).toEqual({ open })
      expect(await ledger.one('SELECT phase, outcome, http_status AS status FROM attempt')).toEqual({
        phase: 'ended',
        outcome: kind,
        status: 400,
      })
      expect(await ledger.ledger.countOpenAttempts()).toBe(0)
    },
  )

  test('is told in the history with its outcome and the words of the service', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(1))
    await ledger.answer(await ledger.send(), { class: 'refused', status: 400, words: 'Email is wrong' })
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life).toMatchObject({ state: 'failed', reason: 'the service refused it: Email is wrong' })
    expect(life?.history.at(-1)).toMatchObject({
      event: 'call refused',
      attempt: 1,
      evidence: { outcome: 'refused', status: 400, words: 'Email is wrong' },
    })
  })

  test('teaches the course the size that works, the smallest that it ever was', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(20))
    expect(await ledger.ledger.learnedBatchLimit('spring')).toBeNull()
    await ledger.answer(await ledger.send(4), { class: 'too_large' })
    expect(await ledger.ledger.learnedBatchLimit('spring')).toBe(2)
    await ledger.answer(await ledger.send(10), { class: 'too_large' })
    expect(await ledger.ledger.learnedBatchLimit('spring')).toBe(2)
    expect(await ledger.ledger.learnedBatchLimit('autumn')).toBeNull()
  })

  test('comes once: a late answer changes nothing', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(2))
    const attempt = await ledger.send()
    expect(await ledger.ledger.loseAttempts(randomUUID())).toEqual([attempt])
    for (const kind of ['accepted', 'throttled', 'not_sent', 'refused'] as const)
      expect(await ledger.answer(attempt, { class: kind })).toBe(0)
    expect(await ledger.states()).toEqual(['unconfirmed', 'unconfirmed'])
    expect(await ledger.one('SELECT outcome FROM attempt')).toEqual({ outcome: 'unknown' })
  })

  test('and the loss of its worker at once have one winner', async () => {
    await using ledger = await openTestLedger()
    await ledger.publish(recipients(40))
    const attempts = await Promise.all(Array.from({ length: 8 }, () => ledger.send(5)))
    const answers = attempts.map((attempt) => ledger.answer(attempt, { class: 'accepted' }))
    const losses = attempts.map(() => ledger.ledger.loseAttempts(randomUUID()))
    const [moved, lost] = await Promise.all([Promise.all(answers), Promise.all(losses)])
    const states = await ledger.states()
    expect(states.filter((state) => state === 'requested')).toHaveLength(moved.reduce((sum, each) => sum + each, 0))
    expect(states.filter((state) => state === 'unconfirmed')).toHaveLength(lost.flat().length * 5)
    expect(states.filter((state) => !['requested', 'unconfirmed'].includes(state))).toEqual([])
  })
})

describeWithDatabase('an attempt whose worker died', () => {
  test('is lost at once when this process is the only one, unless it is its own', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepared(ledger)
    const mine = randomUUID()
    await ledger.ledger.passDoor(doorOf(attempt, mine))
    expect(await ledger.ledger.loseAttempts(mine)).toEqual([])
    expect(await ledger.ledger.loseAttempts(null)).toEqual([])
    expect(await ledger.ledger.loseAttempts(randomUUID())).toEqual([attempt])
    expect(await ledger.states()).toEqual(['unconfirmed', 'unconfirmed', 'unconfirmed'])
    const [life] = await ledger.ledger.explain({ id: 1 })
    expect(life?.history.at(-1)).toMatchObject({
      event: 'worker died while sending',
      evidence: { code: 'WORKER_DIED' },
    })
  })

  test('is lost when its deadline and a margin have passed, also one of our own that could not be written down', async () => {
    await using ledger = await openTestLedger()
    const attempt = await prepared(ledger)
    const mine = randomUUID()
    await ledger.ledger.passDoor(doorOf(attempt, mine))
    await ledger.timePasses(91_000)
    expect(await ledger.ledger.loseAttempts(null)).toEqual([])
    expect(await ledger.ledger.loseAttempts(mine)).toEqual([])
    await ledger.timePasses(60_000)
    expect(await ledger.ledger.loseAttempts(mine)).toEqual([attempt])
    expect(await ledger.ledger.loseAttempts(null)).toEqual([])
  })

  test('before the door loses nothing: its rows were not sent', async () => {
    await using ledger = await openTestLedger()
    await prepared(ledger)
    expect(await ledger.ledger.loseAttempts(randomUUID())).toEqual([])
    expect(await ledger.states()).toEqual(['pending', 'pending', 'pending'])
  })
})
