// Runs the tests that both implementations of slots must pass: in this process and in Redis.

import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { testSlots } from './slots-conformance.ts'
import { localStage, redisStage } from './slots-harness.ts'

testSlots('of this process', localStage, { runs: 60 })

describeWithRedis('with Redis', ({ url }) => {
  testSlots('in Redis', redisStage(url), { runs: 8 })
})
