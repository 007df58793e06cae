// How `issue` ends: its exit code, and what it says, for each way in which a followed run can end.

import { PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import { explainEnding } from '#src/cli/commands/issue.ts'
import type { Ending } from '#src/cli/follow-run.ts'
import { noStates } from '#src/domain/credential/state.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'

function endWith(ending: Ending, { waiting = 0, fault = null as unknown } = {}) {
  const stderr = new PassThrough()
  const states = { ...noStates(), pending: 7, requested: 3, unconfirmed: 2, issued: 1 }
  const code = explainEnding({ stderr }, { ending, states, fault }, waiting)
  return { code, text: String(stderr.read() ?? '') }
}

test.each<[Ending, number, string]>([
  [
    'interrupted',
    130,
    'Stopped. 7 rows are still to be sent and 5 to be followed; the same command or `credsync start`',
  ],
  ['course waits', 3, '7 rows wait until the course can issue, and are then sent automatically'],
  ['timeout', 5, 'The timeout expired before the run was finished.'],
  ['lost', 2, 'The connection that makes this the only worker was lost'],
])('a run that ends with “%s” exits with %i and says why', (ending, code, words) => {
  const ended = endWith(ending)
  expect(ended).toMatchObject({ code, text: expect.stringContaining(words) })
})

test('while sending is stopped, it exits with 3; the reason was printed with what the run waits for', () => {
  expect(endWith('stopped')).toEqual({ code: 3, text: '' })
})

test('without the service it exits with 4 and says what the service did; an internal error exits with 1', () => {
  const unreachable = new ServiceUnreachableError('token', 'ECONNREFUSED', 3)
  expect(endWith('service away', { fault: unreachable })).toMatchObject({
    code: 4,
    text: expect.stringContaining('The service gave no usable answer'),
  })
  expect(endWith('service away', { fault: new TypeError('planted') }).code).toBe(1)
})

test('a finished run exits with 3 if any of its rows needs an operator, and with 0 otherwise', () => {
  expect(endWith('reached', { waiting: 1 })).toEqual({ code: 3, text: '' })
  expect(endWith('reached')).toEqual({ code: 0, text: '' })
})
