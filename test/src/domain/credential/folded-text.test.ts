// Which strings are equal after folding.

import { expect, test } from 'vitest'
import { foldedName, foldedText } from '#src/domain/credential/person-index.ts'

test.each([
  ['case, if lowercasing changes the number of characters', 'İpek', 'i̇pek'],
  ['case, if the last letter of a word has a special form', 'Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['width and spaces', ' Ａda\u00a0 King', 'ada king'],
  ['invisible characters', 'Ad\u00ada\u200e \u2060King', 'ada king'],
  ['joiners', 'क्\u200d', 'क्'],
])('two strings that differ only in %s are equal after folding', (_, one, other) => {
  expect(foldedText(one)).toBe(foldedText(other))
})

test('two strings that differ in a letter are not equal after folding', () => {
  expect(foldedText('Muller')).not.toBe(foldedText('Müller'))
})

test('two names that differ in where the first name ends are not equal after folding', () => {
  expect(foldedName(['Ann', 'Abell'])).not.toBe(foldedName(['Anna', 'Bell']))
  expect(foldedText('Ann Abell')).not.toBe(foldedText('AnnAbell'))
})
