// Who is recorded as the person who made a decision.

import { userInfo } from 'node:os'
import { expect, test } from 'vitest'
import { operatorDecision } from '#src/cli/operator-decision.ts'

test.each([
  ['the name that was given', { by: 'Grace' }, { SUDO_USER: 'ada', USER: 'root' }, 'Grace'],
  ['who called sudo, and not root', {}, { SUDO_USER: 'ada', USER: 'root' }, 'ada'],
  ['the user of the environment', {}, { USER: 'ada' }, 'ada'],
  ['the account of the process', {}, {}, userInfo().username],
])('it is %s', (_, options, env, by) => {
  expect(operatorDecision({ env }, { ...options, reason: 'asked by mail' })).toEqual({ by, why: 'asked by mail' })
})

test('no reason is recorded as an empty one', () => {
  expect(operatorDecision({ env: { USER: 'ada' } }, {})).toEqual({ by: 'ada', why: '' })
})
