// What an operator reads about credentials that existed before the first list of a course.

import { expect, test } from 'vitest'
import {
  alreadyIssuedSentence,
  cannotSearchSentence,
  sameNameSentence,
} from '#src/issuing/reconcile/check-first-list.ts'

test.each([
  [1, false, 'shows 1 credential called “First Aid”;'],
  [2, false, 'shows 2 credentials called “First Aid”;'],
  [100, true, 'shows at least 100 credentials called “First Aid”;'],
])('%i credentials with the name of the course, more: %s', (items, more, part) => {
  expect(sameNameSentence('First Aid', items, more)).toContain(part)
})

test('names of the service cannot break the line or control the terminal, and stay short', () => {
  const name = ` First\n\u001b[31m\u200bAid\t${'x'.repeat(200)} `
  const sentence = sameNameSentence(name, 1, false)
  expect(sentence).toMatch(/“First \[31m Aid x+”/)
  expect(sentence).not.toMatch(/[\p{C}\n]/u)
  expect(/“(.*)”/.exec(sentence)?.[1]).toHaveLength(100)
})

test('people who already have a credential are counted, with up to three names', () => {
  const names = ['A', null, 'B', 'C', 'D']
  const sentence = alreadyIssuedSentence({ holders: 4, searched: 16, names })
  expect(sentence).toContain('called “A”, “B”, “C”, a name')
  expect(sentence).toContain('for 4 of the 16 people')
  expect(sentence).not.toContain('D')
})

test('credentials without a name are reported as such', () => {
  expect(alreadyIssuedSentence({ holders: 1, searched: 2, names: [null] })).toContain(
    'shows credentials without a name,',
  )
})

test('each sentence names the commands that continue', () => {
  const sentences = [
    sameNameSentence('First Aid', 1, false),
    alreadyIssuedSentence({ holders: 1, searched: 2, names: [] }),
    cannotSearchSentence,
  ]
  for (const sentence of sentences) expect(sentence).toMatch(/`credsync adopt`.*`credsync approve RUN`/)
})
