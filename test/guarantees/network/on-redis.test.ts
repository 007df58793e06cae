// Runs every network fault at every stage of a run, with the queues in Redis.

import { describeWithRedis } from '#test/support/describe-with-redis.ts'
import { networkTests } from './network-suite.ts'

describeWithRedis('with the queues in Redis, a network fault', () => networkTests('redis'))
