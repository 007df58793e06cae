// The findings that a probe derives from responses and reports.

import { describe, expect, test } from 'vitest'
import {
  badRecipientFrom,
  duplicatesFrom,
  largestPage,
  type ProbeAnswer,
} from '#src/extensions/probe/derive-findings.ts'

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

describe('one invalid recipient', () => {
  test.each<[string, ProbeAnswer, boolean[], boolean, boolean, string]>([
    ['all refused', refused, [false, false], false, true, 'all refused'],
    ['good ones accepted with 400', refused, [true, true], false, true, 'good taken'],
    ['good ones accepted with 200', answerWith({}), [true, true], false, true, 'good taken'],
    ['all accepted', answerWith({}), [true, true], true, true, 'all taken'],
    ['all accepted, without a control', answerWith({}), [true, true], true, false, 'all taken'],
    ['the first ones only', refused, [true, false], false, true, 'part taken'],
    ['only the bad one', answerWith({}), [false, false], true, true, 'part taken'],
    ['no one, although accepted', answerWith({}), [false, false], false, true, 'all dropped'],
  ])('with %s gives a finding', (_, outcome, good, bad, control, verdict) => {
    expect(badRecipientFrom(outcome, { good, bad }, control, 'Name is empty')).toMatchObject({
      found: { verdict, broke: 'Name is empty' },
    })
  })

  test.each<[string, ProbeAnswer, boolean[], boolean]>([
    ['without a control', refused, [false, false], false],
    [
      'when the report shows the good ones, and nothing proves that the bad one is not just late',
      answerWith({}),
      [true, true],
      false,
    ],
    ['when the outcome is unknown and the report shows nobody', answerWith({ class: 'unknown' }), [false, false], true],
  ])('is not determined %s', (_, outcome, good, control) => {
    expect(badRecipientFrom(outcome, { good, bad: false }, control, 'x')).toHaveProperty('undetermined')
  })
})

describe('the largest page', () => {
  const page = (requested: number, received: number, matching: number | null, pager: number | null) => ({
    requested,
    received,
    matching,
    pager,
  })
  test.each([
    [
      'truncated, regardless of the pager',
      [page(10, 10, 90, 10), page(100, 50, 90, 100)],
      { largest: 50, seenBy: 'rows', capped: true },
    ],
    [
      'limited by the pager',
      [page(10, 3, 3, 10), page(2000, 3, 3, 1000)],
      { largest: 1000, seenBy: 'pager', capped: true },
    ],
    ['echoed only', [page(10, 3, 3, 10), page(100, 3, 3, 100)], { largest: 100, seenBy: 'pager', capped: false }],
    ['full', [page(10, 10, 500, null), page(100, 100, 500, null)], { largest: 100, seenBy: 'rows', capped: false }],
    [
      'full, and echoed beyond',
      [page(10, 10, 12, 10), page(100, 12, 12, 100)],
      { largest: 100, seenBy: 'pager', capped: false },
    ],
  ] as const)('is determined if the last page was %s', (_, pages, found) => {
    expect(largestPage(pages)).toEqual({ found })
  })

  test.each([
    ['nothing was requested', []],
    ['there are few rows and no pager', [page(10, 3, 3, null), page(100, 3, 3, null)]],
    ['the pager repeats the number of rows', [page(10, 3, 3, 3), page(100, 3, 3, 3)]],
    ['the report is empty', [page(10, 0, 0, null)]],
  ])('is not determined if %s', (_, pages) => {
    expect(largestPage(pages)).toHaveProperty('undetermined')
  })
})
