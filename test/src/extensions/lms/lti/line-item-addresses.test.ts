// Builds the URLs of a line item's scores and results, for every form of the line item's URL.

import { expect, test } from 'vitest'
import { resultsUrl, scoresUrl } from '#src/extensions/lms/lti/line-item.ts'

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
])('the URL %s is extended by scores and results before its query', (lineItem, scores, results) => {
  expect(scoresUrl(new URL(lineItem))).toBe(scores)
  expect(resultsUrl(new URL(lineItem), 'a b')).toBe(results)
})
