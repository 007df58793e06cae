import { ReplyError } from 'ioredis'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DatabaseUnreachableError } from '#src/database/database.ts'
import { faultName } from '#src/log/fault-name.ts'
import { QueueUnreachableError } from '#src/queue/answer-within.ts'
import { RedisRefusedError, RedisUnreachableError } from '#src/redis/redis-error.ts'

const person = 'ada@example.org'
const withCode = (error: Error, code: unknown) => Object.assign(error, { code })

test.each([
  ['DatabaseError (25006)', withCode(new pg.DatabaseError(`row of ${person}`, 1, 'error'), '25006')],
  ['DatabaseUnreachableError (53300)', new DatabaseUnreachableError('53300')],
  ['DatabaseUnreachableError', new DatabaseUnreachableError(null)],
  ['ReplyError (OOM)', new ReplyError(`OOM command not allowed for ${person}`)],
  ['RedisRefusedError (WRONGPASS)', new RedisRefusedError('a slot', 'WRONGPASS')],
  ['RedisUnreachableError', new RedisUnreachableError('a slot', 'ETIMEDOUT')],
  ['QueueUnreachableError', new QueueUnreachableError('ask issue', 'after 2000 ms')],
  ['Error (ECONNREFUSED)', withCode(new Error(`connect to ${person}`), 'ECONNREFUSED')],
  ['TypeError', withCode(new TypeError(person), person)],
  ['Error', Object.assign(new Error('x'), { name: `a name with ${person}` })],
  ['Error', person],
])('of an error that failed somebody the log says %s', (said, error) => {
  expect(faultName(error)).toBe(said)
})
