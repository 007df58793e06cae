// The high-water mark in Redis.

import { randomUUID } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { keepInRedis } from '#src/ledger/mark/keep-in-redis.ts'
import { openRedis } from '#src/platform/redis/open-redis.ts'
import { describeWithRedis } from '#test/support/describe-with-redis.ts'

describeWithRedis('the high-water mark in Redis', ({ url }) => {
  async function openKeeper(ledger: string = randomUUID()) {
    const redis = await openRedis({ url })
    onTestFinished(() => redis.close())
    return { redis, keeper: keepInRedis(redis.run.bind(redis), { ledger, environment: 'development' }) }
  }
  const owner = { ledger: randomUUID(), environment: 'development', service: 'https://service.example', system: null }
  const aMark = (number: number, era = 1) => ({
    ...owner,
    era,
    number,
    token: 'a token',
    at: new Date(0).toISOString(),
  })
  const numberIn = ({ marks }: { marks: readonly { number: number }[] }) => marks.map(({ number }) => number)

  test('is only ever raised, except on the decision of an operator', async () => {
    const { keeper } = await openKeeper()
    expect(numberIn(await keeper.read())).toEqual([])
    await keeper.raise(aMark(7))
    await keeper.raise(aMark(5))
    expect(numberIn(await keeper.read())).toEqual([7])
    // A new era counts before the number.
    await keeper.raise(aMark(1, 2))
    expect(numberIn(await keeper.read())).toEqual([1])
    await keeper.put(aMark(0))
    expect(numberIn(await keeper.read())).toEqual([0])
  })
})
