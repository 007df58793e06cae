// Errors are named in the log by class and code, without the personal data that their messages contain.

import { ReplyError } from 'ioredis'
import pg from 'pg'
import { expect, test } from 'vitest'
import { DatabaseUnreachableError } from '#src/platform/database/database-error.ts'
import { faultName } from '#src/platform/log/fault-name.ts'
import { QueueUnreachableError } from '#src/platform/queue/answer-within.ts'
import { RedisRefusedError, RedisUnreachableError } from '#src/platform/redis/redis-error.ts'

const person = 'ada@example.org'
const withCode = (error: Error, code: unknown) => Object.assign(error, { code })

test.each([
  ['DatabaseError (25006)', withCode(new pg.DatabaseError(`row of ${person}`, 1, 'error'), '25006')],
  ['DatabaseUnreachableError (53300)', new DatabaseUnreachableError('53300')],
  ['DatabaseUnreachableError (NO_ANSWER)', new DatabaseUnreachableError('NO_ANSWER')],
  ['ReplyError (OOM)', new ReplyError(`OOM command not allowed for ${person}`)],
  ['RedisRefusedError (WRONGPASS)', new RedisRefusedError('a slot', 'WRONGPASS')],
  ['RedisUnreachableError', new RedisUnreachableError('a slot', 'ETIMEDOUT')],
  ['QueueUnreachableError', new QueueUnreachableError('add a job to issue', 'after 2000 ms')],
  ['Error (ECONNREFUSED)', withCode(new Error(`connect to ${person}`), 'ECONNREFUSED')],
  ['TypeError', withCode(new TypeError(person), person)],
  ['Error', Object.assign(new Error('x'), { name: `a name with ${person}` })],
  ['Error', person],
])('an error is logged as %s', (expected, error) => {
  expect(faultName(error)).toBe(expected)
})
