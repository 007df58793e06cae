// Letters that a wrong encoding made of others, and good letters that look like them.

import { describe, expect, test } from 'vitest'
import { isMisread } from '#src/recipients/damaged-letters.ts'
import { checkOne } from './check-one.ts'
import { aField } from './fields.ts'

const name = aField('First Name')

describe('letters of another encoding', () => {
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
  const more = [
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
  test.each([...names, ...more])('are found in %s, read in the wrong one', (good) => {
    expect(isMisread(good)).toBe(false)
    expect(checkOne(name, good).value).toBe(good)
    const bad = asWindows1252(Buffer.from(good))
    expect(isMisread(bad) || /[\x80-\x9f]/.test(bad)).toBe(true)
    expect(checkOne(name, bad).recipient).toBeNull()
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
  ])('are not suspected in %s', (good) => {
    expect(isMisread(good)).toBe(false)
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
  ])('are not suspected in %s with no-break spaces', (good) => {
    const wide = good.replaceAll(' ', '\u00a0')
    expect(isMisread(wide)).toBe(false)
    expect(checkOne(name, wide).broken).toEqual([])
    expect(isMisread(wide.toUpperCase())).toBe(false)
  })

  test.each(['voilà', 'à la', 'Šimek', 'Ġorġ', 'PHẠM', '校', '数校根'])(
    'are found in %s, whose last byte is that of a no-break space',
    (good) => {
      expect(isMisread(asWindows1252(Buffer.from(good)))).toBe(true)
    },
  )

  test('are told by a question mark in front of a letter of a name, and in names only', () => {
    for (const lost of ['J?rg', '?ukasz', 'M??ller']) expect(checkOne(name, lost).broken).toEqual(['damaged_letters'])
    expect(checkOne(aField('Thesis'), 'Why?not').value).toBe('Why?not')
    expect(checkOne(name, 'Ada?').value).toBe('Ada?')
  })
})

/** What a program shows that takes the bytes for Windows-1252. */
function asWindows1252(bytes: Buffer): string {
  return new TextDecoder('windows-1252').decode(bytes)
}
