// The bodies of settled events are deleted after a while, and such an event is still recognized if it is sent again.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger } from '#test/support/test-ledger.ts'

const inboundEvent = (key: string, system = 'hooks') => ({
  system,
  key,
  headers: { 'user-agent': 'lms' },
  body: Buffer.from('{"email":"ada@example.org"}'),
})

describeWithDatabase('the body of an event', () => {
  test('is deleted when the event was settled long enough ago, but not while it waits or needs an operator', async () => {
    await using testLedger = await openTestLedger()
    const { ledger, database } = testLedger
    const { inboundEvents } = ledger
    const outcomes = [
      { kind: 'processed' },
      { kind: 'unclaimed' },
      { kind: 'strange', problem: 'It is strange.' },
      null,
      { kind: 'processed' },
      { kind: 'processed' },
    ] as const
    await inboundEvents.keep(outcomes.map((_, index) => inboundEvent(`0${index}`, index === 4 ? 'shop' : 'hooks')))
    for (const [index, outcome] of outcomes.entries())
      if (outcome) await inboundEvents.noteProcessed(index + 1, outcome)
    await database.query(`UPDATE inbound_event SET processed_at = now() - interval '31 days' WHERE id <> 6`)
    // The body that was settled first goes first.
    await database.query(`UPDATE inbound_event SET processed_at = processed_at - interval '1 day' WHERE id = 2`)
    const production = await openWholeLedger(database, 'production')
    await production.inboundEvents.keep([inboundEvent('00')])
    await database.query(
      `UPDATE inbound_event SET state = 'processed', processed_at = now() - interval '40 days' WHERE id = 7`,
    )
    const retention = [
      { system: 'hooks', days: 30 },
      { system: 'shop', days: 40 },
    ]
    await using unordered = await openUnordered(testLedger)
    expect(await unordered.ledger.inboundEvents.forgetBodies(retention, 1)).toBe(1)
    expect(await testLedger.queryOne('SELECT id FROM inbound_event WHERE body IS NULL')).toEqual({ id: 2 })
    expect([await inboundEvents.forgetBodies(retention), await inboundEvents.forgetBodies(retention)]).toEqual([1, 0])
    const { rows } = await database.query<{ id: number; headers: object }>(
      'SELECT id, headers FROM inbound_event WHERE body IS NULL ORDER BY id',
    )
    expect(rows).toEqual([
      { id: 1, headers: {} },
      { id: 2, headers: {} },
    ])
    expect(await inboundEvents.keep([inboundEvent('00'), inboundEvent('01')])).toBe(0)
    expect(await inboundEvents.counts()).toMatchObject([{ system: 'hooks', unprocessed: 1, strange: 1, unclaimed: 0 }])
    // Events whose body is deleted cannot be processed again.
    expect(await inboundEvents.processAgain('hooks')).toBe(1)
  })

  test('that lead to nothing because of what became of the learner are counted while they can be processed again', async () => {
    await using testLedger = await openTestLedger()
    const { inboundEvents } = testLedger.ledger
    await inboundEvents.keep([inboundEvent('0a'), inboundEvent('0b')])
    await inboundEvents.noteProcessed(1, { kind: 'processed', left: 'The learner left.' })
    await inboundEvents.noteProcessed(2, { kind: 'processed' })
    expect(await inboundEvents.counts()).toMatchObject([{ strange: 0, left: 1 }])
    expect(await inboundEvents.processAgain('hooks')).toBe(1)
    await inboundEvents.noteProcessed(1, { kind: 'processed', left: 'The learner left.' })
    await inboundEvents.close(1)
    expect(await inboundEvents.counts()).toEqual([])
  })

  test('of a statement is deleted, and the same id with different content is still a conflict', async () => {
    await using testLedger = await openTestLedger()
    const { inboundEvents } = testLedger.ledger
    const named = (digest: string) => [{ key: '0a', digest, body: '{}', voids: null }]
    await inboundEvents.keepNamed('statements', named('one'))
    await inboundEvents.noteProcessed(1, { kind: 'processed' })
    await testLedger.database.query(`UPDATE inbound_event SET processed_at = now() - interval '2 days'`)
    expect(await inboundEvents.forgetBodies([{ system: 'statements', days: 1 }])).toBe(1)
    expect(await inboundEvents.find(1)).toMatchObject({ body: null })
    expect(await inboundEvents.keepNamed('statements', named('one'))).toEqual([])
    expect(await inboundEvents.keepNamed('statements', named('other'))).toEqual(['0a'])
  })
})
