// What a probe concludes, by tables.

import { describe, expect, test } from 'vitest'
import { type Answered, badRecipientFrom, duplicatesFrom, largestPage } from '#src/probe/verdicts.ts'

const answered = (more: Partial<Answered>): Answered => ({ class: 'accepted', authRefused: false, words: '', ...more })
const refused = answered({ class: 'refused', words: 'Already invited.' })

describe('the same recipient twice', () => {
  test.each<[string, Answered, { before: number; after: number }, boolean, string]>([
    ['two items', answered({}), { before: 1, after: 2 }, true, 'issued twice'],
    ['two items, without a control', answered({}), { before: 1, after: 2 }, false, 'issued twice'],
    ['two items although it was refused', refused, { before: 1, after: 2 }, true, 'issued twice'],
    [
      'two items although nobody knows the outcome',
      answered({ class: 'unknown' }),
      { before: 1, after: 2 },
      true,
      'issued twice',
    ],
    ['one item, accepted', answered({}), { before: 1, after: 1 }, true, 'ignored'],
    ['one item, refused in words', refused, { before: 1, after: 1 }, true, 'refused'],
    ['two items before already, refused in words', refused, { before: 2, after: 2 }, true, 'refused'],
  ])('with %s is told', (_, outcome, items, control, verdict) => {
    expect(duplicatesFrom(outcome, items, control)).toMatchObject({ found: { verdict } })
  })

  test.each<[string, Answered, boolean, string]>([
    ['without a control', refused, false, 'proves nothing'],
    ['when accepted without a control', answered({}), false, 'proves nothing'],
    ['when refused without words', answered({ class: 'refused' }), true, 'without a word'],
    ['when the keys were refused', answered({ class: 'refused', words: 'No.', authRefused: true }), true, '401'],
    ['when throttled', answered({ class: 'throttled', words: 'Slow down.' }), true, '429'],
    ['when the outcome is unknown', answered({ class: 'unknown' }), true, 'unknown'],
    ['when it was not sent', answered({ class: 'not_sent' }), true, 'not sent'],
  ])('is not determined %s', (_, outcome, control, why) => {
    expect(duplicatesFrom(outcome, { before: 1, after: 1 }, control)).toEqual({
      undetermined: expect.stringContaining(why),
    })
  })
})

describe('one bad recipient', () => {
  test.each<[string, Answered, boolean[], boolean, boolean, string]>([
    ['all refused', refused, [false, false], false, true, 'all refused'],
    ['good ones taken with 400', refused, [true, true], false, true, 'good taken'],
    ['good ones taken with 200', answered({}), [true, true], false, true, 'good taken'],
    ['all taken', answered({}), [true, true], true, true, 'all taken'],
    ['all taken, without a control', answered({}), [true, true], true, false, 'all taken'],
    ['the first ones only', refused, [true, false], false, true, 'part taken'],
    ['nobody but the bad one', answered({}), [false, false], true, true, 'part taken'],
    ['nobody, although accepted', answered({}), [false, false], false, true, 'all dropped'],
  ])('with %s is told', (_, outcome, good, bad, control, verdict) => {
    expect(badRecipientFrom(outcome, { good, bad }, control, 'Name is empty')).toMatchObject({
      found: { verdict, broke: 'Name is empty' },
    })
  })

  test.each<[string, Answered, boolean[], boolean]>([
    ['without a control', refused, [false, false], false],
    ['when the good ones show and nothing proves that the bad one is not late', answered({}), [true, true], false],
    ['when the outcome is unknown and nobody shows', answered({ class: 'unknown' }), [false, false], true],
  ])('is not determined %s', (_, outcome, good, control) => {
    expect(badRecipientFrom(outcome, { good, bad: false }, control, 'x')).toHaveProperty('undetermined')
  })
})

describe('the largest page', () => {
  const page = (asked: number, came: number, matching: number | null, pager: number | null) => ({
    asked,
    came,
    matching,
    pager,
  })
  test.each([
    [
      'cut short, whatever the pager says',
      [page(10, 10, 90, 10), page(100, 50, 90, 100)],
      { largest: 50, seenBy: 'rows', capped: true },
    ],
    [
      'cut by the pager',
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
  ] as const)('is told when it was %s', (_, pages, found) => {
    expect(largestPage(pages)).toEqual({ found })
  })

  test.each([
    ['nothing was asked', []],
    ['the rows are few and the pager is silent', [page(10, 3, 3, null), page(100, 3, 3, null)]],
    ['the pager names the rows that there are', [page(10, 3, 3, 3), page(100, 3, 3, 3)]],
    ['the report is empty', [page(10, 0, 0, null)]],
  ])('is not determined when %s', (_, pages) => {
    expect(largestPage(pages)).toHaveProperty('undetermined')
  })
})
