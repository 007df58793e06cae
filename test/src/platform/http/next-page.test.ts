// Finds the next page of a list in every Link header format that platforms send.

import { expect, test } from 'vitest'
import { nextPage } from '#src/platform/http/next-page.ts'

const base = 'https://lms.example/api/items?page=1'

test.each([
  ['<https://lms.example/2>; rel="next"', 'https://lms.example/2'],
  ['<https://lms.example/1>; rel="first", <https://lms.example/2,5>; rel="next"', 'https://lms.example/2,5'],
  ['<https://lms.example/2>;rel=next', 'https://lms.example/2'],
  ['<https://lms.example/2>; title="a"; rel="last next"', 'https://lms.example/2'],
  ['<?page=2>; rel="next"', 'https://lms.example/api/items?page=2'],
  // Moodle's format, with its bytes as they arrive in a header.
  [
    Buffer.from('Link: <https://lms.example/1>; rel=“first”, <https://lms.example/2>; rel=“next”').toString('latin1'),
    'https://lms.example/2',
  ],
  ['<https://lms.example/1>; rel="prev"', null],
  ['<https://lms.example/next>; rel="prev"', null],
  ['<https://lms.example/1>; rel="nextish"', null],
  ['<http://>; rel="next"', null],
  ['', null],
  [undefined, null],
])('the next page in the header %j is %j', (header, expected) => {
  expect(nextPage(header, base)).toBe(expected)
})
