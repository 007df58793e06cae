// Which inbound events each verb is about: one of every kind, of two systems, here and in another environment.

import { expect, test } from 'vitest'
import { openWholeLedger } from '#src/app/whole-ledger.ts'
import { describeWithDatabase } from '#test/support/database.ts'
import { openUnordered } from '#test/support/stored-order.ts'
import { openTestLedger, type TestLedger } from '#test/support/test-ledger.ts'

/** Columns of an event that are not those of one that has just arrived. */
const kinds = {
  new: '',
  'new, later': `due_at = clock_timestamp() + interval '1 h'`,
  'new, held': `due_at = clock_timestamp() + interval '1 h', problem = 'It waits.'`,
  strange: `state = 'strange', problem = 'It is strange.'`,
  unclaimed: `state = 'unclaimed'`,
  'unclaimed, deleted': `state = 'unclaimed', body = NULL`,
  processed: `state = 'processed'`,
}
type Kind = keyof typeof kinds
const names = Object.keys(kinds) as Kind[]
const places = ['hooks', 'shop', 'elsewhere'] as const

const keyOf = (place: number, kind: number) => `${place}${kind}`.padStart(4, '0')

async function openKinds(): Promise<TestLedger> {
  const testLedger = await openTestLedger()
  const { database, ledger } = testLedger
  const production = await openWholeLedger(database, 'production')
  for (const [place, name] of places.entries())
    for (const [kind, sets] of Object.values(kinds).entries()) {
      const event = { key: keyOf(place, kind), headers: {}, body: Buffer.from('{}') }
      if (name === 'elsewhere') await production.inboundEvents.keep([{ ...event, system: 'hooks' }])
      else await ledger.inboundEvents.keep([{ ...event, system: name }])
      if (sets) await database.query(`UPDATE inbound_event SET ${sets} WHERE key = decode($1, 'hex')`, [event.key])
    }
  return testLedger
}

/** An event as the tests name it: that of the system `hooks` by its kind only. */
function nameOf(id: number): string {
  const place = places[Math.floor((id - 1) / names.length)]
  const name = names[(id - 1) % names.length] ?? ''
  return place === 'hooks' ? name : `${name} (${place})`
}

async function changedBy({ database }: TestLedger, verb: () => Promise<unknown>): Promise<string[]> {
  const snapshot = async () =>
    new Map(
      (
        await database.query<{ id: number; values: string }>('SELECT id, d::text AS values FROM inbound_event d')
      ).rows.map(({ id, values }) => [id, values]),
    )
  const before = await snapshot()
  await verb()
  const changed = [...(await snapshot())].filter(([id, values]) => before.get(id) !== values)
  return changed.map(([id]) => nameOf(id)).sort()
}

describeWithDatabase('inbound events of every kind', () => {
  test('are unprocessed once they are due', async () => {
    await using testLedger = await openKinds()
    const { inboundEvents } = testLedger.ledger
    expect((await inboundEvents.unprocessed('hooks', 99)).map(({ id }) => nameOf(id))).toEqual(['new'])
  })

  test('are processed in the order in which they came', async () => {
    await using testLedger = await openKinds()
    await testLedger.database.query(`UPDATE inbound_event SET due_at = '2026-01-01' WHERE id IN (1, 2)`)
    await testLedger.database.query(`UPDATE inbound_event SET due_at = '2026-01-01' WHERE id = 1`)
    await using unordered = await openUnordered(testLedger)
    expect((await unordered.ledger.inboundEvents.unprocessed('hooks', 1)).map(({ id }) => id)).toEqual([1])
  })

  test('wait in a system while one of them is due', async () => {
    await using testLedger = await openKinds()
    const { inboundEvents } = testLedger.ledger
    expect((await inboundEvents.waiting()).sort()).toEqual(['hooks', 'shop'])
    const [first] = await inboundEvents.unprocessed('hooks', 1)
    await inboundEvents.hold(first?.id ?? 0, 'It waits.', 3_600_000)
    expect(await inboundEvents.waiting()).toEqual(['shop'])
  })

  test('are postponed together if they are not processed', async () => {
    await using testLedger = await openKinds()
    const changed = await changedBy(testLedger, () => testLedger.ledger.inboundEvents.postpone('hooks', 36_000_000))
    expect(changed).toEqual(['new', 'new, held', 'new, later'])
  })

  test('are held one by one, and only while they are not processed', async () => {
    await using testLedger = await openKinds()
    const { inboundEvents } = testLedger.ledger
    const changed = await changedBy(testLedger, async () => {
      for (const index of names.keys()) await inboundEvents.hold(index + 1, 'It waits for a course.', 36_000_000)
    })
    expect(changed).toEqual(['new', 'new, held', 'new, later'])
  })

  test('are processed again at an operator’s request, unless they are processed, deleted or about to be', async () => {
    await using testLedger = await openKinds()
    const again: Kind[] = ['new, held', 'strange', 'unclaimed']
    expect(await changedBy(testLedger, () => testLedger.ledger.inboundEvents.processAgain('hooks'))).toEqual(again)
  })

  test('are shown to an operator if they were not understood, the latest first', async () => {
    await using testLedger = await openKinds()
    const { inboundEvents } = testLedger.ledger
    const strange = async (system: string | null, limit: number) =>
      (await inboundEvents.strange(system, limit)).map(({ id }) => nameOf(id))
    expect(await strange(null, 9)).toEqual(['strange (shop)', 'strange'])
    expect(await strange(null, 1)).toEqual(['strange (shop)'])
    expect(await strange('hooks', 9)).toEqual(['strange'])
  })

  test('are counted by system, with what the latest held one waits for', async () => {
    await using testLedger = await openKinds()
    const counts = { unprocessed: 3, strange: 1, unclaimed: 1, left: 0, held: 'It waits.' }
    expect(await testLedger.ledger.inboundEvents.counts()).toEqual([
      { system: 'hooks', ...counts },
      { system: 'shop', ...counts },
    ])
    // An earlier one that is held since, and a later one that is not held.
    await testLedger.ledger.inboundEvents.hold(1, 'It waits for a course.', 1)
    await testLedger.ledger.inboundEvents.keep([{ system: 'hooks', key: 'ff', headers: {}, body: Buffer.from('{}') }])
    expect(await testLedger.ledger.inboundEvents.counts()).toMatchObject([
      { unprocessed: 4, held: 'It waits.' },
      counts,
    ])
  })

  test('are found by id in their environment', async () => {
    await using testLedger = await openKinds()
    const { inboundEvents } = testLedger.ledger
    expect(await inboundEvents.find(1)).toMatchObject({ id: 1 })
    expect(await inboundEvents.find(2 * names.length + 1)).toBeNull()
  })

  test('are voided by a statement of their own system and environment', async () => {
    await using testLedger = await openKinds()
    const { ledger, database } = testLedger
    const voids = (key: string) => [{ key: `ff${key}`, digest: 'd', body: '{}', voids: key }]
    const isVoided = async () => (await ledger.inboundEvents.unprocessed('hooks', 1))[0]?.voided
    await ledger.inboundEvents.keepNamed('shop', voids(keyOf(0, 0)))
    await (await openWholeLedger(database, 'production')).inboundEvents.keepNamed('hooks', voids(keyOf(0, 0)))
    await ledger.inboundEvents.keepNamed('hooks', voids(keyOf(0, 1)))
    expect(await isVoided()).toBe(false)
    await ledger.inboundEvents.keepNamed('hooks', voids(keyOf(0, 0)))
    expect(await isVoided()).toBe(true)
  })

  test('conflict with statements of the same key, system and environment only', async () => {
    await using testLedger = await openKinds()
    const { ledger, database } = testLedger
    const statement = (digest: string) => [{ key: 'aa', digest, body: '{}', voids: null }]
    await ledger.inboundEvents.keepNamed('shop', statement('one'))
    await (await openWholeLedger(database, 'production')).inboundEvents.keepNamed('hooks', statement('two'))
    expect(await ledger.inboundEvents.keepNamed('hooks', statement('three'))).toEqual([])
    expect(await ledger.inboundEvents.keepNamed('hooks', statement('three'))).toEqual([])
    expect(await ledger.inboundEvents.keepNamed('hooks', statement('one'))).toEqual(['aa'])
  })
  test('conflict if they are sent at the same time with different content', async () => {
    await using testLedger = await openTestLedger()
    const send = (key: string, digest: string) =>
      testLedger.ledger.inboundEvents.keepNamed('hooks', [{ key, digest, body: '{}', voids: null }])
    for (const key of ['a0', 'a1', 'a2', 'a3', 'a4'])
      expect((await Promise.all([send(key, 'one'), send(key, 'two')])).flat()).toEqual([key])
  })
})
