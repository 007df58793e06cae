// Which declared date formats are understood, and how dates in them are read.

import { expect, test } from 'vitest'
import { parseDateFormat } from '#src/domain/recipient/date-format.ts'

test.each<[string, string, string]>([
  [' DD.MM.YYYY ', '31.12.1990', '1990-12-31'],
  ['DD - MM - YYYY', '31 - 12 - 1990', '1990-12-31'],
  ['DD-----MM-YYYY', '31-----12-1990', '1990-12-31'],
  ['DDMMYYYY', '31121990', '1990-12-31'],
  ['D/MYYYY', '1/1990', 'none'],
  ['(D)[M]{YYYY}', '(1)[2]{1990}', '1990-02-01'],
  ['D*M+YYYY?', '1*2+1990?', '1990-02-01'],
])('%j reads %j as %s', (format, value, day) => {
  const reading = parseDateFormat(format)?.read(value)
  expect(reading && 'date' in reading ? reading.date : 'none').toBe(day)
})

test.each([
  'D. de M. de YYYY',
  'DD3MM4YYYY',
  'DD------MM-YYYY',
  'DMYYYY',
  'DDMYYYY',
  'DMMYYYY',
  'DD.MM',
  'DD.MM.YYYY.DD',
  '',
])('%j is no format', (format) => {
  expect(parseDateFormat(format)).toBeNull()
})

test('a date is read only if nothing stands before or behind it', () => {
  const format = parseDateFormat('DD.MM.YYYY')
  for (const value of ['x31.12.1990', '31.12.1990x', '131.12.1990'])
    expect(format?.read(value)).toEqual({ fault: 'shape' })
  expect(format?.read('31.02.1990')).toEqual({ fault: 'no_such_day' })
})
