// The stored events of learners who were forgotten: which of them are emptied, which are waited for, and how they are
// searched.

import { expect, test } from 'vitest'
import { inboundEventStore } from '#src/extensions/lms/ledger/inbound-events.ts'
import { waitsForEvents } from '#src/extensions/privacy/ledger/empty-events.ts'
import type { Database, Sql } from '#src/platform/database/database.ts'
import {
  aCompletion,
  ingest,
  isAnyLockAwaited,
  publishRun,
  request,
  settle,
} from '#test/src/extensions/lms/ledger/runs-of-learners.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { aBadRow } from '#test/support/domain-objects.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'
import { until } from '#test/support/until.ts'
import { withoutTriggers } from '#test/support/without-triggers.ts'

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
        `SELECT state, body IS NOT NULL AND headers <> '{}' AS kept, problem FROM inbound_event ORDER BY id`,
      )
    ).rows.map(({ state, kept, problem }) => `${state}${kept ? '' : ' emptied'}${problem === null ? '' : ' problem'}`)

  const confirming = { hooks: 'campus' }
  const found = (waiting: number[], isDone = true) => ({ waiting, isDone })

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
    for (const id of [1, 2, 3, 4, 5]) await inboundEvents.noteProcessed(id, { kind: 'processed' })
    expect(await erasures.emptyEvents(testLedger.erasure, confirming)).toEqual(found([]))
    expect(await bodies(testLedger)).toEqual([
      'processed emptied',
      'processed',
      'processed emptied',
      'processed emptied',
      'processed',
    ])
  })

  test('stays and is waited for until the event is processed', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    await keep(testLedger, [hint('7')])
    const [event] = await inboundEvents.unprocessed('hooks', 9)
    expect(await erasures.emptyEvents(testLedger.erasure, confirming)).toEqual(found([event?.id ?? 0]))
    expect(waitsForEvents([event?.id ?? 0])).toMatch(
      /^An event is not processed yet, .*credsync events show d1\), .*credsync events close d1\)\.$/,
    )
    await inboundEvents.noteProcessed(event?.id ?? 0, { kind: 'processed', isForgotten: true })
    expect(await bodies(testLedger)).toEqual(['processed emptied'])
    expect(await erasures.emptyEvents(testLedger.erasure, confirming)).toEqual(found([]))
  })

  test('of an event that was not understood goes with the event, and its queue continues', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    await keep(testLedger, [hint('7'), [hint('7'), hint('8')], hint('9')])
    for (const id of [1, 2, 3])
      await inboundEvents.noteProcessed(id, { kind: 'strange', problem: 'Learner 7: what is this?' })
    expect(await erasures.emptyEvents(testLedger.erasure, confirming)).toEqual(found([2]))
    expect(await bodies(testLedger)).toEqual(['processed emptied', 'strange problem', 'strange problem'])
    expect(await inboundEvents.processAgain('hooks')).toBe(2)
    const again = await inboundEvents.unprocessed('hooks', 9)
    expect(again.map(({ id, body }) => [id, body !== null])).toEqual([
      [2, true],
      [3, true],
    ])
  })

  test('of an event that was not understood goes by the address, unless it names somebody else', async () => {
    await using testLedger = await withLearner()
    const { inboundEvents, erasures } = testLedger.ledger
    const address = { email: 'l7@example.org' }
    await keep(testLedger, [address, { ...address, manager: 'bea@example.org' }])
    for (const id of [1, 2]) await inboundEvents.noteProcessed(id, { kind: 'strange', problem: 'What is this?' })
    expect(await erasures.emptyEvents(testLedger.erasure, {})).toEqual(found([2]))
    expect(await bodies(testLedger)).toEqual(['processed emptied', 'strange problem'])
    expect(await inboundEvents.close(2)).toBe(true)
    expect(await erasures.emptyEvents(testLedger.erasure, {})).toEqual(found([]))
  })

  test('goes by the address of an invalid row', async () => {
    await using testLedger = await openTestLedger()
    const run = await testLedger.publish([], { more: [aBadRow(2)] })
    await testLedger.database.query(`UPDATE run_row SET cells = '["ada@example.org", "Ada"]'`)
    await keep(testLedger, [{ email: 'ADA@example.org' }, { email: 'zoe@example.org' }])
    for (const id of [1, 2]) await testLedger.ledger.inboundEvents.noteProcessed(id, { kind: 'processed' })
    const id = await request(testLedger, { rows: [{ run, row: 2 }] })
    expect(await testLedger.ledger.erasures.emptyEvents(id, {})).toEqual(found([]))
    expect(await bodies(testLedger)).toEqual(['processed emptied', 'processed'])
  })

  test('is searched once; later only what came since, and from what is waited for', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    await keep(testLedger, [hint('8'), hint('7')])
    await ledger.inboundEvents.noteProcessed(1, { kind: 'processed' })
    await database.query(`UPDATE inbound_event SET arrived_at = arrived_at - interval '1 hour'`)
    const search = () => ledger.erasures.emptyEvents(erasure, confirming)
    expect(await search()).toEqual(found([2]))
    // Stands for an event that was searched already: as if its body had been about the person all along.
    await database.query(`UPDATE inbound_event SET body = (SELECT body FROM inbound_event WHERE id = 2) WHERE id = 1`)
    await keep(testLedger, [{ ...hint('7'), sent: 2 }])
    await ledger.inboundEvents.noteProcessed(2, { kind: 'processed' })
    await ledger.inboundEvents.noteProcessed(3, { kind: 'processed' })
    expect(await search()).toEqual(found([]))
    expect(await bodies(testLedger)).toEqual(['processed', 'processed emptied', 'processed emptied'])
  })

  test('is searched in what came since the last search, before anything is emptied', async () => {
    await using testLedger = await withLearner()
    const { ledger, erasure } = testLedger
    expect(await ledger.erasures.emptyEvents(erasure, confirming)).toEqual(found([]))
    await keep(testLedger, [hint('7'), { ...hint('7'), sent: 2 }])
    await ledger.inboundEvents.noteProcessed(1, { kind: 'processed' })
    expect(await ledger.erasures.emptyNext(erasure, confirming)).toBe(0)
    expect(await bodies(testLedger)).toEqual(['processed emptied', 'new'])
    await ledger.inboundEvents.noteProcessed(2, { kind: 'processed' })
    expect(await ledger.erasures.emptyNext(erasure, confirming)).toBeGreaterThan(0)
    expect(await bodies(testLedger)).toEqual(['processed emptied', 'processed emptied'])
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
        emptying = ledger.erasures.emptyNext(erasure, confirming).finally(() => {
          isOver = true
        })
        await until('the emptying waits', async () => isOver || isAnyLockAwaited(database))
      })
      expect(await emptying).toBe(0)
      expect(await ledger.erasures.emptyEvents(erasure, confirming)).toEqual(found([1]))
    },
  )

  test('is searched once a minute for what is not emptied because of an event', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    await keep(testLedger, [hint('7')])
    expect(await ledger.erasures.isDue(erasure)).toBe(true)
    expect(await ledger.erasures.emptyEvents(erasure, confirming)).toEqual(found([1]))
    expect(await ledger.erasures.isDue(erasure)).toBe(false)
    await database.query(`UPDATE erasure SET event_found_at = event_found_at - interval '61 seconds'`)
    expect(await ledger.erasures.isDue(erasure)).toBe(true)
    await withoutTriggers(database, `UPDATE issuance SET state = 'held'`)
    expect(await ledger.erasures.isDue(erasure)).toBe(false)
  })

  test('is searched page by page, from where the last search stopped', async () => {
    await using testLedger = await withLearner()
    const { ledger, database, erasure } = testLedger
    await keep(testLedger, [hint('8')])
    const add = (count: number, minutes: number) =>
      database.query(
        `INSERT INTO inbound_event (environment, system, key, arrived_at, headers, body, state)
         SELECT environment, system, decode(md5(random()::text), 'hex'), clock_timestamp() - make_interval(mins => $2), '{}', $3, 'processed'
         FROM inbound_event, generate_series(1, $1) WHERE id = 1`,
        [count, minutes, Buffer.from(JSON.stringify(hint('7')))],
      )
    await add(1_200, 60)
    const search = (pages: number) => ledger.erasures.emptyEvents(erasure, confirming, pages)
    const left = async () => (await database.query('SELECT FROM inbound_event WHERE body IS NOT NULL')).rowCount
    expect([await search(1), await left()]).toEqual([found([], false), 702])
    expect([await search(2), await left()]).toEqual([found([]), 1])
    await add(600, 0)
    expect([await search(2), await left()]).toEqual([found([]), 1])
  })

  test('stays if it is needed to try the completion of somebody else again', async () => {
    await using testLedger = await openTestLedger()
    await keep(testLedger, [[hint('7'), hint('8')]])
    await testLedger.ledger.inboundEvents.noteProcessed(1, { kind: 'processed' })
    await ingest(testLedger, [aCompletion('7', 1, { eventId: 1 }), aCompletion('8', 1, { eventId: 1 })], {}, 'event')
    await publishRun(testLedger, ['8'])
    await settle(testLedger)
    const id = await request(testLedger, { ids: [1] })
    const { erasures, completions: store } = testLedger.ledger
    expect(await erasures.emptyEvents(id, {})).toEqual(found([1]))
    expect(await bodies(testLedger)).toEqual(['processed'])
    expect(await store.tryAgain('spring', 'other rules')).toEqual(['hooks'])
  })
})
