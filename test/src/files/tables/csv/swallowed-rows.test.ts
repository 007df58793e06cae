// Rows that were swallowed by a cell of another row are reported, and ordinary multi-line text is accepted.

import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import { openCsv } from '#src/files/tables/csv/open-csv.ts'
import { refusalsOf } from '#src/files/tables/source-error.ts'
import { sourceLimits } from '#src/files/tables/source-limits.ts'
import { growth, linear } from '#test/support/cpu-growth.ts'
import { readSource } from '#test/support/read-source.ts'

const csv = (...lines: string[]) => `${lines.join('\n')}\n`
/** Reads a list without the thread and the file checks, because there are many small lists. */
async function problemsWithoutThread(text: string) {
  const bytes = Buffer.from(text)
  const source: ByteSource = { head: async () => bytes, stream: () => Readable.from([bytes]) }
  const { rows } = await openCsv(source, {}, { limits: sourceLimits, refuse: refusalsOf('list.csv') })
  const problems: [number, string][] = []
  for await (const group of rows) for (const { row, problem } of group) if (problem) problems.push([row, problem.rule])
  return problems
}

describe('a quotation mark that is not closed in its line', () => {
  const header = 'e_mail,given,family,notes'
  test('is reported although an inch mark further down closes it in a valid place', async () => {
    const text = csv(
      header,
      'a@x.org,Ann,One,"good',
      'b@x.org,Ben,Two,fine',
      'c@x.org,Cid,Three,15"',
      'd@x.org,Dan,Four,ok',
    )
    expect(await problemsWithoutThread(text)).toEqual([[2, 'ragged-row']])
    const [first] = (await readSource(text)).rows
    expect(first?.problem?.sentence).toMatch(
      /^Column D runs over several lines, .* not closed .* send all these rows again/,
    )
    expect(first?.problem?.sentence).not.toContain('Ben')
  })

  test.each([
    ['in a list without addresses', csv('no,given,family,notes', '1,Ann,One,"good', '2,Ben,Two,15"', '3,Dan,Four,ok')],
    ['with Windows line ends', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,Ben,Two,15"').replaceAll('\n', '\r\n')],
    ['of a row with one separator too many', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,Ben,Two,More, 15"')],
    ['of a row with one separator too few', csv(`${header},more`, 'a@x.org,Ann,One,x,"good', 'b@x.org,Ben,Two,15"')],
    [
      'of a row without an address, with spaces as in its own row',
      csv(header, 'a@x.org, Ann, One,"good', ', Ben, Two, 15"'),
    ],
    ['of a row with spaces in a list without', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org, Ben, Two, 15"')],
    ['by a number in its column', csv('no,given,family,notes', '1,Ann,One,"good', '2, Ben, Two, 15"')],
    ['that swallows a line with few cells', csv(header, 'a@x.org,Ann,One,"good', 'b@x.org,Ben', 'x"')],
    ['of three columns, without one of its two separators', csv('name,company,notes', 'Ann,Acme,"late', 'Ben,15"')],
    ['that swallows four letters', csv(header, 'a@x.org,Ann,One,"red', 'a,b,c,d', 'blue"')],
  ])('is reported %s', async (_, text) => {
    expect(await problemsWithoutThread(text)).toEqual([[2, 'ragged-row']])
  })

  test.each([
    ['an address in lines', csv(header, 'a@x.org,Ann,One,"12, High Street', 'Ulm, Bavaria, Germany, Europe"')],
    ['lines of fewer separators', csv(header, 'a@x.org,Ann,One,"good', 'London,UK, fine', 'x"')],
    ['a contact person', csv(header, 'a@x.org,Ann,One,"Ask', 'Bob King, bob@x.org', 'x"')],
    ['fractions', csv(header, 'a@x.org,Ann,One,"1,5 and 2,5 and 3,5', '1,5 and 2,5 and 3,5"')],
    ['several notes', csv(header, 'a@x.org,Ann,One,"One, two.', 'Red, green and blue, she said.', 'So, well, yes,"')],
    ['one of only two columns', csv('e_mail,notes', 'a@x.org,"one', 'two,three"')],
    ['a note in the middle', csv('e_mail,notes,given', 'a@x.org,"see', 'below",Ann')],
  ])('is not assumed in %s', async (_, text) => {
    expect(await problemsWithoutThread(text)).toEqual([])
  })
})

describe('measured on generated lists', () => {
  // All rows are different, so that no result depends on a particular name.
  const names = ['Ann', 'van Dyk', 'Ben', 'O’Neil', 'Cid', 'García', 'Dan', 'Li', 'Eve', 'Ødegård']
  const nameAt = (n: number) => names[n % names.length] as string
  const personAt = (n: number, width: number) =>
    Array.from({ length: width }, (_, at) =>
      at === 0 ? `p${n}@example.org` : at === 3 ? `2026-0${(n % 9) + 1}-11` : `${nameAt(n + at)}${at > 4 ? '' : n}`,
    )
  const columns = (width: number) => Array.from({ length: width }, (_, at) => `column ${at}`)

  // If there is an address, less evidence is required from the rest of a line. Without one, a row can be recognized
  // only by its separators.
  const kinds: [string, string, (cells: string[]) => string[]][] = [',', ';', '\t', '|'].flatMap((delimiter) => [
    [delimiter, 'with an address', (cells) => cells],
    [delimiter, 'without an address', ([, ...others]) => ['', ...others]],
    [delimiter, 'with a name in front', ([, ...others]) => ['Ida', ...others]],
  ])
  test.each(kinds)(
    'no quotation mark between %j, opened in any column, swallows a row %s silently',
    async (delimiter, kind, make) => {
      let cases = 0
      const fewest = kind === 'with an address' ? 2 : 3
      for (const width of [2, 3, 4, 5, 8, 15].filter((each) => each >= fewest)) {
        for (let column = 1; column < width; column++) {
          for (const closedAt of [2, 3]) {
            for (const gap of ['', ' ']) {
              const people = [1, 2, 3, 4].map((n) => make(personAt(n + column, width)))
              const rows = [columns(width), ...people].map((cells) => cells.join(`${delimiter}${gap}`).split(delimiter))
              const opened = rows[1] as string[]
              const closed = rows[closedAt] as string[]
              opened[column] = `"${opened[column]?.trim()}`
              closed[column] = `${closed[column]}"`
              const problems = await problemsWithoutThread(csv(...rows.map((cells) => cells.join(delimiter))))
              expect({ width, column, closedAt, gap, problems }).toMatchObject({ problems: [[2, 'ragged-row']] })
              cases++
            }
          }
        }
      }
      expect(cases).toBeGreaterThan(100)
    },
  )

  test('a cell with very many lines next to very many cells takes linear time', async () => {
    const read = async (times: number) => {
      const row = [...Array(75 * times).fill('a'), `"${'x,\n'.repeat(7_500 * times)}"`].join()
      expect(await problemsWithoutThread(csv(columns(75 * times + 1).join(), ...Array(10).fill(row)))).toEqual([])
    }
    expect(await growth(read)).toBeLessThan(linear)
  })

  const texts = [
    '12 High Street,\nLondon, UK',
    '12 High Street\nFlat 3, Second floor\nLondon, UK, W1 2AB',
    'c/o Smith, 3rd floor\n12, High Street, Ulm\nGermany',
    'Rua das Flores, 12, 3º Dto\n4050-262 Porto, Portugal',
    '〒100-0001\n東京都千代田区1-1, Tokyo, Japan',
    'Good.\nBut late, twice, and ill once.',
    'Dear Ann,\nthank you, really.\nBest, Bob',
    'Modules: A, B, C\nTo do: D, E',
    '- reads well\n- writes well, too\n- speaks, sings, acts',
    'Score 1,5; 2,5\nScore 3,5; 4,5',
    'See https://example.org/a,b\nand https://example.org/c',
    'a | b\nc | d',
    'Line one;\nline two;\nline three.',
    '{"a": 1,\n "b": 2,\n "c": 3}',
    'Office 12, bob@example.org\nOffice 14, eve@example.org',
  ]
  test.each(texts)('%j is accepted in a list of four columns or more', async (text) => {
    for (const delimiter of [',', ';', '|']) {
      for (const width of [4, 5, 8, 15]) {
        for (const column of [1, 2, width - 1]) {
          const cells = personAt(1, width)
          cells[column] = `"${text.replaceAll('"', '""')}"`
          const list = csv(...[columns(width), cells, personAt(2, width)].map((row) => row.join(delimiter)))
          expect([delimiter, width, column, ...(await problemsWithoutThread(list))]).toEqual([delimiter, width, column])
        }
      }
    }
  })
})
