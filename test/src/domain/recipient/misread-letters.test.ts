// Letters that were decoded wrongly, and correct letters that look as if they were.

import { describe, expect, test } from 'vitest'
import { isMisread } from '#src/domain/recipient/damage/misread-letters.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const name = aField('First Name')

describe('letters in a wrong encoding', () => {
  test.each([
    'Jörg',
    'Åsa',
    'Łukasz',
    'Dvořáková',
    'Şahin',
    'JOÃO',
    'Seán O’Neill',
    'Νίκος',
    'Сергей',
    'נועה',
    '李明',
    'กมล',
  ])('are detected in %s when it was read as Windows-1252', (correct) => {
    expect(isMisread(correct)).toBe(false)
    expect(checkOne(name, correct).value).toBe(correct)
    const misread = asWindows1252(Buffer.from(correct))
    expect(isMisread(misread) || /[\x80-\x9f]/.test(misread)).toBe(true)
    expect(checkOne(name, misread).recipient).toBeNull()
  })

  test.each([
    'MALMÖ–LUND',
    'Weiß–Huber',
    'IBÁÑEZ',
    'Ângela',
    'ÃNGELO',
    'Ødegård',
    'Ðorđe',
    'Nguyễn Thị Ánh',
    'Íñigo',
    'Ōtani',
    '“Bob” Ä',
    'ŠÚŠEK',
    'Œuvrard',
    'Dr. ÄÖÜ',
    'nº 5',
    'à « Paris »',
    'Zoë™',
  ])('are not suspected in %s', (correct) => {
    expect(isMisread(correct)).toBe(false)
  })

  test.each(['« Condé »', 'Café ; Zoé ! Léa ?', 'é … à … é …', 'MANHÃ !', 'MALGRÂ x', 'Élysée — 1'])(
    'are not suspected in %s with no-break spaces',
    (correct) => {
      const wide = correct.replaceAll(' ', '\u00a0')
      expect(isMisread(wide)).toBe(false)
      expect(checkOne(aField('Topic'), wide).broken).toEqual([])
      expect(isMisread(wide.toUpperCase())).toBe(false)
    },
  )

  test.each(['voilà', 'à la', 'Šimek', 'Ġorġ', 'PHẠM', '校', '数校根'])(
    'are detected in %s, whose last byte is that of a no-break space',
    (correct) => {
      expect(isMisread(asWindows1252(Buffer.from(correct)))).toBe(true)
    },
  )

  test('are recognized by a question mark, in names only', () => {
    for (const lost of ['J?rg', '?ukasz', 'M??ller', 'Ren?'])
      expect(checkOne(name, lost).broken).toEqual(['damaged_letters'])
    expect(checkOne(aField('Thesis'), 'Why?not').value).toBe('Why?not')
  })
})

/** Returns the bytes as shown by a program that decodes them as Windows-1252. */
function asWindows1252(bytes: Buffer): string {
  return new TextDecoder('windows-1252').decode(bytes)
}
