// The addresses below a line item, whatever its own address looks like.

import { expect, test } from 'vitest'
import { resultsOf, scoresOf } from '#src/lti/below-line-item.ts'

test.each([
  [
    'https://lms.example/5/lineitem',
    'https://lms.example/5/lineitem/scores',
    'https://lms.example/5/lineitem/results?user_id=a%20b',
  ],
  ['https://lms.example/5/', 'https://lms.example/5/scores', 'https://lms.example/5/results?user_id=a%20b'],
  [
    'https://lms.example/5?t=1%2B#x',
    'https://lms.example/5/scores?t=1%2B',
    'https://lms.example/5/results?t=1%2B&user_id=a%20b',
  ],
])('of %s are scores and results in front of its query', (lineItem, scores, results) => {
  expect(scoresOf(new URL(lineItem))).toBe(scores)
  expect(resultsOf(new URL(lineItem), 'a b')).toBe(results)
})
