// Names in an inbox: which are taken, and what they are called afterwards.

import { describe, expect, test } from 'vitest'
import { isFittingName } from '#src/inbox/fitting-name.ts'
import { lettersOf, nameBefore, takenName } from '#src/inbox/taken-name.ts'

const usual = '*.{csv,xlsx,zip}'

describe('a name is fitting', () => {
  test.each(['list.csv', 'LIST.CSV', 'list 1 (2).xlsx', 'ä.zip', 'list.tmp.csv', 'a[1].csv'])('%s', (name) => {
    expect(isFittingName(name, usual, null)).toBe(true)
  })

  test('however its accents are written', () => {
    expect(isFittingName('Pru\u0308fung.csv', 'Prüfung*.csv', null)).toBe(true)
  })
})

describe('a name is not fitting', () => {
  test.each([
    '.list.csv',
    '.~lock.list.csv#',
    '~$list.xlsx',
    'list.csv~',
    'list.csv.tmp',
    'list.csv.part',
    'list.csv.partial',
    'list.csv.crdownload',
    'list.csv.FILEPART',
    '.list.csv.swp',
    'list.csv.lock',
    'processing',
    'done',
    'refused',
    'outbox',
  ])('%s, since it is unfinished or ours, even where all names are', (name) => {
    expect(isFittingName(name, '*', null)).toBe(false)
  })

  test('of a marker, nor of another kind', () => {
    expect(isFittingName('list.csv.done', '*', '.done')).toBe(false)
    expect(isFittingName('LIST.CSV.DONE', '*', '.done')).toBe(false)
    expect(isFittingName('list.csv.done', '*', null)).toBe(true)
    expect(isFittingName('list.pdf', usual, null)).toBe(false)
    expect(isFittingName('autumn.csv', 'spring*.csv', null)).toBe(false)
  })
})

describe('a taken name', () => {
  const at = new Date('2026-11-21T02:00:00.123Z')

  test('has the time and eight letters before its own, which can be told again', () => {
    const name = takenName('list.csv', at, '1a2b3c4d')
    expect(name).toBe('2026-11-21T02-00-00Z.1a2b3c4d.list.csv')
    expect(nameBefore(name)).toBe('list.csv')
    // One that comes back from `refused` under our name gets no second one.
    expect(nameBefore(takenName(name, at, '00000000'))).toBe('list.csv')
    expect(nameBefore('list.csv')).toBeNull()
    expect([lettersOf(name), lettersOf('list.csv')]).toEqual(['1a2b3c4d', null])
  })

  test('stays within what a file system takes, with its ending', () => {
    const long = takenName(`${'ä'.repeat(120)}.csv`, at, '1a2b3c4d')
    expect(Buffer.byteLength(`${long}.reason.txt`)).toBeLessThanOrEqual(255)
    expect(long).toMatch(/ä\.csv$/)
  })

  test('has no line ends that would break a log or a listing', () => {
    expect(takenName('a\nb.csv', at, '1a2b3c4d')).toBe('2026-11-21T02-00-00Z.1a2b3c4d.a-b.csv')
  })
})
