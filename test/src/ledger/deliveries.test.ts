// What becomes of deliveries that came to rest: their bodies go after a while, and the same delivery is known all the same.

import { expect, test } from 'vitest'
import { describeWithDatabase } from '#test/support/database.ts'
import { openTestLedger } from '#test/support/ledger.ts'

const delivery = (key: string, system = 'hooks') => ({
  system,
  key,
  headers: { 'user-agent': 'lms' },
  body: Buffer.from('{"email":"ada@example.org"}'),
})

describeWithDatabase('the body of a delivery', () => {
  test('goes when it came to rest so many days ago, and not while it waits or needs a person', async () => {
    await using place = await openTestLedger()
    const { ledger, database } = place
    const { deliveries } = ledger
    const outcomes = [
      { kind: 'judged' },
      { kind: 'unclaimed' },
      { kind: 'strange', problem: 'It is strange.' },
      null,
      { kind: 'judged' },
      { kind: 'judged' },
    ] as const
    await deliveries.keep(outcomes.map((_, index) => delivery(`0${index}`, index === 4 ? 'shop' : 'hooks')))
    for (const [index, outcome] of outcomes.entries()) if (outcome) await deliveries.noteJudged(index + 1, outcome)
    await database.query(`UPDATE delivery SET judged_at = now() - interval '31 days' WHERE id <> 6`)
    const kept = [
      { system: 'hooks', days: 30 },
      { system: 'shop', days: 40 },
    ]
    expect([
      await deliveries.forgetBodies(kept, 1),
      await deliveries.forgetBodies(kept),
      await deliveries.forgetBodies(kept),
    ]).toEqual([1, 1, 0])
    const { rows } = await database.query<{ id: number; headers: object }>(
      'SELECT id, headers FROM delivery WHERE body IS NULL ORDER BY id',
    )
    expect(rows).toEqual([
      { id: 1, headers: {} },
      { id: 2, headers: {} },
    ])
    expect(await deliveries.keep([delivery('00'), delivery('01')])).toBe(0)
    expect(await deliveries.standing()).toMatchObject([{ system: 'hooks', unjudged: 1, strange: 1, unclaimed: 0 }])
    // There is nothing left to judge in those that are forgotten.
    expect(await deliveries.judgeAgain('hooks')).toBe(1)
  })

  test('of a statement goes, and its id with other content is a conflict still', async () => {
    await using place = await openTestLedger()
    const { deliveries } = place.ledger
    const named = (digest: string) => [{ key: '0a', digest, body: '{}', voids: null }]
    await deliveries.keepNamed('statements', named('one'))
    await deliveries.noteJudged(1, { kind: 'judged' })
    await place.database.query(`UPDATE delivery SET judged_at = now() - interval '2 days'`)
    expect(await deliveries.forgetBodies([{ system: 'statements', days: 1 }])).toBe(1)
    expect(await deliveries.named('statements', '0a')).toMatchObject({ body: null })
    expect(await deliveries.keepNamed('statements', named('one'))).toEqual([])
    expect(await deliveries.keepNamed('statements', named('other'))).toEqual(['0a'])
  })
})
