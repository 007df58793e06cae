// The groups of states cover all of them.

import { expect, test } from 'vitest'
import { restingStates, states, unsentStates, watchedStates } from '#src/domain/credential/state.ts'

test('every state is unsent, watched or resting, and only one of these', () => {
  expect([...unsentStates, ...watchedStates, ...restingStates].sort()).toEqual([...states].sort())
})
