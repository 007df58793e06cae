// Which file names in an inbox are accepted, and which names taken files get.

import { describe, expect, test } from 'vitest'
import { originalName, takenFileId, takenName } from '#src/files/inbox/taken-file-name.ts'
import { isMatchingName } from '#src/files/inbox/worker-folder.ts'

const defaultPattern = '*.{csv,xlsx,zip}'

describe('a matching name', () => {
  test.each(['list.csv', 'LIST.CSV', 'list 1 (2).xlsx', 'ä.zip', 'list.tmp.csv', 'a[1].csv'])('%s', (name) => {
    expect(isMatchingName(name, defaultPattern, null)).toBe(true)
  })

  test('is recognized however its accents are encoded', () => {
    expect(isMatchingName('Pru\u0308fung.csv', 'Prüfung*.csv', null)).toBe(true)
  })
})

describe('a name that is not taken', () => {
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
  ])('%s, because it is unfinished or a folder of the worker, even if the pattern matches all names', (name) => {
    expect(isMatchingName(name, '*', null)).toBe(false)
  })

  test('belongs to a marker or another type of file', () => {
    expect(isMatchingName('list.csv.done', '*', '.done')).toBe(false)
    expect(isMatchingName('LIST.CSV.DONE', '*', '.done')).toBe(false)
    expect(isMatchingName('list.csv.done', '*', null)).toBe(true)
    expect(isMatchingName('list.pdf', defaultPattern, null)).toBe(false)
    expect(isMatchingName('autumn.csv', 'spring*.csv', null)).toBe(false)
  })
})

describe('a taken name', () => {
  const at = new Date('2026-11-21T02:00:00.123Z')

  test('has the time and eight characters before the original name, which can be recovered', () => {
    const name = takenName('list.csv', at, '1a2b3c4d')
    expect(name).toBe('2026-11-21T02-00-00Z.1a2b3c4d.list.csv')
    expect(originalName(name)).toBe('list.csv')
    // A file that comes back from `refused` with its prefix gets no second prefix.
    expect(originalName(takenName(name, at, '00000000'))).toBe('list.csv')
    expect(originalName('list.csv')).toBeNull()
    expect([takenFileId(name), takenFileId('list.csv')]).toEqual(['1a2b3c4d', null])
  })

  test('stays within the limit of the file system and keeps its extension', () => {
    const long = takenName(`${'ä'.repeat(120)}.csv`, at, '1a2b3c4d')
    expect(Buffer.byteLength(`${long}.reason.txt`)).toBeLessThanOrEqual(255)
    expect(long).toMatch(/ä\.csv$/)
  })

  test('has no line breaks, which would corrupt a log or a listing', () => {
    expect(takenName('a\nb.csv', at, '1a2b3c4d')).toBe('2026-11-21T02-00-00Z.1a2b3c4d.a-b.csv')
  })

  test('has no characters that make it look like another name', () => {
    const name = takenName('a\u001b[31m\u009b\u202evsc\u2028\u2066.csv', at, '1a2b3c4d')
    expect(name).toBe('2026-11-21T02-00-00Z.1a2b3c4d.a-[31m--vsc--.csv')
  })
})
