// Letters that were decoded wrongly, and correct letters that look as if they were.

import { describe, expect, test } from 'vitest'
import { isMisread } from '#src/domain/recipient/damage/misread-letters.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const name = aField('First Name')

describe('letters in a wrong encoding', () => {
  const names = [
    'Müller',
    'Jörg',
    'Özil',
    'Åsa',
    'Łukasz',
    'Wiśniewski',
    'Kraśński',
    'Dvořáková',
    'Žofie',
    'Şahin',
    'Doğan',
  ]
  const otherNames = [
    'MÜLLER',
    'ÅKE',
    'José',
    'Seán O’Neill',
    'João',
    'JOÃO',
    'François',
    'Νίκος',
    'Сергей',
    'محمد',
    'נועה',
    '李明',
    'さくら',
    'सुनीता',
    'กมล',
  ]
  test.each([...names, ...otherNames])('are detected in %s when it was read as Windows-1252', (correct) => {
    expect(isMisread(correct)).toBe(false)
    expect(checkOne(name, correct).value).toBe(correct)
    const misread = asWindows1252(Buffer.from(correct))
    expect(isMisread(misread) || /[\x80-\x9f]/.test(misread)).toBe(true)
    expect(checkOne(name, misread).recipient).toBeNull()
  })

  test.each([
    'MALMÖ–LUND',
    'JOSÉ–MARIA',
    'Weiß–Huber',
    'MÚŠEK',
    'IBÁÑEZ',
    'D’ÂNGELO',
    'Ângela',
    'ÃNGELO',
    'ANDRÉ’S',
    'Ødegård',
    'Þór',
    'Ðorđe',
    'ÅSLÄÄ',
    'Nguyễn Thị Ánh',
    'Çağlar',
    'Íñigo',
    'Ōtani',
    'Jean–Luc',
    '“Bob” Ä',
    'MARIA Ä.',
    'ŠÚŠEK',
    'Œuvrard',
    'Ä-Ö',
    'Æsa',
    'Dr. ÄÖÜ',
    '2ª turma',
    'nº 5',
    'PERÚ“',
    'Émile',
    'à « Paris »',
    'é',
    'ïï',
    'Zoë™',
    'São Tomé º',
  ])('are not suspected in %s', (correct) => {
    expect(isMisread(correct)).toBe(false)
  })

  test.each([
    '« Condé »',
    'René « Nono »',
    'Marché – Nord',
    'Café ; Zoé ! Léa ?',
    '« Zoé ».',
    'é … à … é …',
    'IRMÃ X',
    'MANHÃ !',
    'CAFÉ de Paris',
    'MALGRÂ x',
    'Élysée — 1',
  ])('are not suspected in %s with no-break spaces', (correct) => {
    const wide = correct.replaceAll(' ', '\u00a0')
    expect(isMisread(wide)).toBe(false)
    expect(checkOne(aField('Topic'), wide).broken).toEqual([])
    expect(isMisread(wide.toUpperCase())).toBe(false)
  })

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
