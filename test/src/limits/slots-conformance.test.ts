// The same promises of both allowances: kept in this process, and kept in Redis.

import { describeWithRedis } from '#test/support/redis.ts'
import { slotsConform } from './slots-conformance.ts'
import { localStage, redisStage } from './stage.ts'

slotsConform('of this process', localStage, { runs: 60 })

describeWithRedis('with Redis', ({ url }) => {
  slotsConform('in Redis', redisStage(url), { runs: 8 })
})
