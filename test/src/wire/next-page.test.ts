// The next page of a list, in all the ways in which platforms name it.

import { expect, test } from 'vitest'
import { nextPage } from '#src/wire/next-page.ts'

const base = 'https://lms.example/api/items?page=1'

test.each([
  ['<https://lms.example/2>; rel="next"', 'https://lms.example/2'],
  ['<https://lms.example/1>; rel="first", <https://lms.example/2,5>; rel="next"', 'https://lms.example/2,5'],
  ['<https://lms.example/2>;rel=next', 'https://lms.example/2'],
  ['<https://lms.example/2>; title="a"; rel="last next"', 'https://lms.example/2'],
  ['<?page=2>; rel="next"', 'https://lms.example/api/items?page=2'],
  // Moodle's, as its bytes arrive in a header.
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
])('of the header %j is %j', (header, expected) => {
  expect(nextPage(header, base)).toBe(expected)
})
