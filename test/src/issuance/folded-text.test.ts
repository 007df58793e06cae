import { expect, test } from 'vitest'
import { foldedText } from '#src/issuance/folded-text.ts'

test.each([
  ['case, where the letters of a language change their number', 'İpek', 'i̇pek'],
  ['case, where the last letter of a word has a form of its own', 'Σίσυφος', 'ΣΊΣΥΦΟΣ'],
  ['width and spaces', ' Ａda\u00a0 King', 'ada king'],
  ['marks that nobody sees', 'Ad\u00ada\u200e \u2060King', 'ada king'],
  ['joiners', 'क्\u200d', 'क्'],
])('two texts that differ only in %s are the same', (_, one, other) => {
  expect(foldedText(one)).toBe(foldedText(other))
})

test('two texts that differ in a letter are not', () => {
  expect(foldedText('Muller')).not.toBe(foldedText('Müller'))
})
