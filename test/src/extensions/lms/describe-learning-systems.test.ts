// The lines that `events` shows about systems and pipelines, and which of them need an operator.

import { describe, expect, test } from 'vitest'
import { type LmsStatus, learningLines, needsPerson } from '#src/extensions/lms/describe-learning-systems.ts'

const nothing: LmsStatus = { events: [], counts: [], systems: [], completions: [], invalid: [], deliveries: [] }
const counts = { system: 'hooks', unprocessed: 1, strange: 2, unclaimed: 0, left: 0, held: null }
const completions = { pipeline: 'spring', system: 'campus', ready: 0, refused: 2 }

describe('an invalid completion', () => {
  test('needs an operator, and is shown with the reason, the learners and where to look', () => {
    const run = '1a2b3c4d-0000-4000-8000-000000000000'
    const completionGroup = { pipeline: 'spring', system: 'campus', rule: 'other_learner', field: '', run }
    const status = { ...nothing, invalid: [{ ...completionGroup, completions: 4, learners: ['3', '4', '5'] }] }
    expect(needsPerson(status)).toBe(true)
    expect(learningLines(status)).toEqual([
      expect.stringMatching(
        /^pipeline spring: 4 invalid completions from campus \(e\.g\. learners 3, 4, 5\): a credential of another learner.* `credsync status --run 1a2b3c4d` shows the rows\.$/,
      ),
    ])
  })
})

describe('an event or completion that waits', () => {
  test('needs an operator while its system is configured', () => {
    expect(needsPerson({ ...nothing, counts: [{ ...counts, configured: true }] })).toBe(true)
    expect(needsPerson({ ...nothing, completions: [{ ...completions, configured: true }] })).toBe(true)
  })

  test('is shown as no longer configured after that, and needs nobody', () => {
    const status = {
      ...nothing,
      counts: [{ ...counts, configured: false }],
      completions: [{ ...completions, configured: false }],
    }
    expect(needsPerson(status)).toBe(false)
    expect(learningLines(status)).toEqual([
      'hooks: 3 events. The system is no longer configured: its events are kept, but not processed',
      'pipeline spring: 2 completions from campus, which is no longer configured for this pipeline: the completions are kept, but not processed',
    ])
  })
})

test('an event about somebody who left is counted, and needs nobody', () => {
  const status = { ...nothing, counts: [{ ...counts, unprocessed: 0, strange: 0, left: 2, configured: true }] }
  expect(needsPerson(status)).toBe(false)
  expect(learningLines(status)).toEqual([expect.stringContaining('hooks: 2 events about learners who are no longer')])
})

test('a sentence that ends with a full stop gets no second one', () => {
  const system = { system: 'campus', watched: true, polledAt: null, problem: 'The course has a problem.' }
  const away = { unavailableSince: new Date(0), unavailableReason: 'It does not answer.' }
  expect(learningLines({ ...nothing, systems: [{ ...system, ...away }] })).toEqual([
    'system campus: The course has a problem. unavailable since 1970-01-01 00:00 UTC: It does not answer.',
  ])
})

describe('an outcome that was not delivered', () => {
  const none = {
    pending: 0,
    refused: 0,
    written: 0,
    verified: 0,
    incomplete: 0,
    drifted: 0,
    failed: 0,
    accountDeleted: 0,
  }
  const outcome = { pipeline: 'spring', target: 'moodle-profile campus', problem: null, ...none }

  test.each(['refused', 'incomplete', 'drifted', 'failed'])('needs a person if it is %s', (state) => {
    expect(needsPerson({ ...nothing, deliveries: [{ ...outcome, verified: 9, [state]: 1 }] })).toBe(true)
  })

  test.each(['pending', 'written', 'verified', 'accountDeleted'])('needs nobody if it is %s', (state) => {
    expect(needsPerson({ ...nothing, deliveries: [{ ...outcome, [state]: 1 }] })).toBe(false)
  })
})
