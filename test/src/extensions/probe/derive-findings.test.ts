// The findings that a probe derives from responses and reports.

import { describe, expect, test } from 'vitest'
import { duplicatesFrom, type ProbeAnswer } from '#src/extensions/probe/derive-findings.ts'

const answerWith = (more: Partial<ProbeAnswer>): ProbeAnswer => ({ class: 'accepted', words: '', ...more })
const refused = answerWith({ class: 'refused', words: 'Already invited.' })

describe('the same recipient twice', () => {
  test.each<[string, ProbeAnswer, { before: number; after: number }, boolean, string]>([
    ['two items', answerWith({}), { before: 1, after: 2 }, true, 'issued twice'],
    ['two items, without a control', answerWith({}), { before: 1, after: 2 }, false, 'issued twice'],
    ['two items although it was refused', refused, { before: 1, after: 2 }, true, 'issued twice'],
    [
      'two items although the outcome is unknown',
      answerWith({ class: 'unknown' }),
      { before: 1, after: 2 },
      true,
      'issued twice',
    ],
    ['one item, accepted', answerWith({}), { before: 1, after: 1 }, true, 'ignored'],
    ['one item, refused with a message', refused, { before: 1, after: 1 }, true, 'refused'],
    ['two items already before, refused with a message', refused, { before: 2, after: 2 }, true, 'refused'],
  ])('with %s gives a finding', (_, outcome, items, control, verdict) => {
    expect(duplicatesFrom(outcome, items, control)).toMatchObject({ found: { verdict } })
  })

  test.each<[string, ProbeAnswer, boolean, string]>([
    ['without a control', refused, false, 'proves nothing'],
    ['when accepted without a control', answerWith({}), false, 'proves nothing'],
    ['when refused without a message', answerWith({ class: 'refused' }), true, 'without a reason'],
    ['when the keys were refused', answerWith({ class: 'unauthorised', words: 'No.' }), true, '401'],
    ['when throttled', answerWith({ class: 'throttled', words: 'Slow down.' }), true, '429'],
    ['when the outcome is unknown', answerWith({ class: 'unknown' }), true, 'unknown'],
    ['when it was not sent', answerWith({ class: 'not_sent' }), true, 'not sent'],
  ])('is not determined %s', (_, outcome, control, why) => {
    expect(duplicatesFrom(outcome, { before: 1, after: 1 }, control)).toEqual({
      undetermined: expect.stringContaining(why),
    })
  })
})
