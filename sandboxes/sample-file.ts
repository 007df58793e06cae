// Writes the sample file of the demo: people, with every kind of fault that real lists have. Always writes the same
// rows.

import { writeFile } from 'node:fs/promises'
import { stringify } from 'csv-stringify/sync'

export interface DemoCourse {
  uuid: string
  templateUuid: string
  badgeTemplateUuid: string
}

const givenNames = [
  'Jürgen',
  'Zoë',
  'Łukasz',
  'Anna-Lena',
  'Søren',
  'Chloé',
  'Δημήτρης',
  'Ivan',
  'María',
  '美咲',
  'Fatima',
  'O’Brien',
]
const familyNames = [
  'Müller',
  'Nowak',
  'van der Berg',
  'García, Jr.',
  'Ångström',
  'D’Angelo',
  'Παπαδόπουλος',
  'Smith',
  '"Bo" Jensen',
  '田中',
  'Yılmaz',
  'Straße',
]

/**
 * Writes the file to `path` and returns `path`. Five rows are invalid and one is a duplicate; the note column says so.
 */
export async function writeSampleFile(path: string, people: number): Promise<string> {
  const rows = Array.from({ length: people }, (_, index) => sampleRow(index))
  const faults: [number, (row: SampleRow) => void][] = [
    [17, (row) => Object.assign(row, { born: '31.02.1990', note: 'a date that is not in the calendar' })],
    [42, (row) => Object.assign(row, { family: '', note: 'a missing name' })],
    [99, (row) => Object.assign(row, { e_mail: 'not-an-address', note: 'an invalid address' })],
    [123, (row) => Object.assign(row, { born: '1990-13-01', note: 'a month that does not exist' })],
    [200, (row) => Object.assign(row, rows[10], { note: 'the person of row 12 again' })],
    [321, (row) => Object.assign(row, { e_mail: '', note: 'no address' })],
    [
      400,
      (row) =>
        Object.assign(row, { note: '=HYPERLINK("http://example.invalid","a cell that a spreadsheet would run")' }),
    ],
  ]
  for (const [index, spoilRow] of faults) {
    const row = rows[index]
    if (row) spoilRow(row)
  }
  const text = stringify(rows, {
    header: true,
    columns: ['e_mail', 'given', 'family', 'born', 'Contact Number', 'note'],
  })
  await writeFile(path, text, { mode: 0o600 })
  return path
}

interface SampleRow {
  e_mail: string
  given: string
  family: string
  born: string
  'Contact Number': string
  note: string
}

function sampleRow(index: number): SampleRow {
  const pick = (names: readonly string[], step: number) => names[(index * step) % names.length] ?? ''
  const day = new Date(Date.UTC(1970, 0, 1 + ((index * 37) % 12_000)))
  return {
    e_mail: `person.${String(index + 1).padStart(3, '0')}@example.org`,
    given: pick(givenNames, 5),
    family: pick(familyNames, 7),
    born: day.toISOString().slice(0, 10),
    'Contact Number': `0${170_000_000 + index * 1_234}`,
    note: '',
  }
}
