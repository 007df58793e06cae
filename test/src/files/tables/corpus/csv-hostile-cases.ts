// Sample files: CSVs that are damaged, very long or malicious.

import type { RowProblem } from '#src/files/tables/source.ts'
import type { CorpusCase } from './corpus-case.ts'
import { header, underHeader } from './people.ts'

const goodCells = ['a Quennell', '1']
const long = (length: number) => 'Quennell'.repeat(Math.ceil(length / 8)).slice(0, length)
const recordLimit = { limits: { csvRecordBytes: 4_000 } }

/** Makes a case with `cell` and a problem in one row, followed by a correct row. */
const badCell = (name: string, cell: string, rule: RowProblem['rule'], kept = cell): CorpusCase => ({
  name,
  build: () => underHeader(`${cell},2`, goodCells.join()),
  expected: { header, rows: [[kept, '2'], goodCells], problems: { 2: rule } },
})

export const csvHostileCases: CorpusCase[] = [
  badCell('has a NUL', 'Zo\0 Quennell', 'invalid-characters', 'Zo\ufffd Quennell'),
  badCell('has a bell', 'Zo\x07 Quennell', 'invalid-characters'),
  badCell('reverses the order of letters', 'Zo\u202ellennueQ', 'invalid-characters'),
  badCell('has a code point that is never a character', 'Zo\uffff Quennell', 'invalid-characters'),
  badCell('has the mark of a lost letter', 'Zo\ufffd Quennell', 'lost-characters'),
  badCell('has a cell beyond the limit', long(32_768), 'cell-too-long', long(32_767)),
  {
    name: 'has a cell at the limit',
    build: () => underHeader(`${long(32_767)},2`),
    expected: { header, rows: [[long(32_767), '2']] },
  },
  {
    name: 'has a huge cell',
    build: () => underHeader(`${long(2_000_000)},2`),
    expected: {
      refused: 'record-too-long',
      sentence: /Row 2 is longer than the limit of 131072 bytes|A line after row \d/,
    },
  },
  {
    name: 'has a huge quoted cell',
    build: () => underHeader('a,1', `"${'Quennell\n'.repeat(2_000)}",2`),
    options: recordLimit,
    expected: { refused: 'record-too-long', sentence: /Row 3 is longer than the limit of 4000 bytes/ },
  },
  {
    name: 'has a quotation mark that is not closed in a long file',
    build: () => underHeader('"a,1', ...Array(2_000).fill('b Quennell,2')),
    options: recordLimit,
    expected: { refused: 'record-too-long', sentence: /Row 2 / },
  },
  {
    name: 'has a very long line of separators',
    build: () => underHeader('a,1', ','.repeat(200_000)),
    options: recordLimit,
    expected: { refused: 'record-too-long', sentence: /limit of 8000 bytes/ },
  },
  {
    name: 'has no line end in a megabyte of separators',
    build: () => ','.repeat(1_000_000),
    expected: { refused: 'record-too-long', sentence: /at the start/ },
  },
  {
    name: 'has more columns than the limit',
    build: () => `${Array.from({ length: 513 }, (_, n) => `c${n}`)}\n1\n`,
    expected: { refused: 'limit', sentence: /513 columns; the limit is 512/ },
  },
  {
    name: 'has more columns than the limit in a row',
    build: () => underHeader('a,1', `b${',Quennell'.repeat(600)}`),
    expected: { refused: 'limit', sentence: /Row 3 has 601 columns/ },
  },
  {
    name: 'has rows of empty columns far beyond the limit',
    build: () => underHeader(...Array(600).fill(`a,1${','.repeat(5_000)}`)),
    expected: { header, rows: Array(600).fill(['a', '1']) },
  },
  {
    name: 'has as many rows as the limit allows, the header among them',
    build: () => underHeader('a,1', 'b,2'),
    options: { limits: { rows: 3 } },
    expected: {
      header,
      rows: [
        ['a', '1'],
        ['b', '2'],
      ],
    },
  },
  {
    name: 'has more rows than the limit',
    build: () => underHeader('a,1', 'b,2', 'Quennell,3'),
    options: { limits: { rows: 3 } },
    expected: { refused: 'limit', sentence: /more rows than the limit of 3/ },
  },
  {
    name: 'has too many rows of separators',
    build: () => underHeader('a,1', ...Array(100).fill(','.repeat(20))),
    options: { limits: { emptyPieces: 1_000 } },
    expected: { refused: 'limit', sentence: /more than 1000 empty cells/ },
  },
  {
    name: 'has too many rows of blanks',
    build: () => underHeader('a,1', ...Array(1_000).fill(' ,\t')),
    options: { limits: { emptyPieces: 1_000 } },
    expected: { refused: 'limit', sentence: /more than 1000 empty cells/ },
  },
  {
    name: 'has fewer empty cells than the limit between any two rows',
    build: () => underHeader(...Array(3).fill(`a,1${'\n,,,'.repeat(200)}`)),
    options: { limits: { emptyPieces: 1_000 } },
    expected: { header, rows: Array(3).fill(['a', '1']) },
  },
  {
    name: 'has only line ends',
    build: () => '\n'.repeat(300_000),
    expected: { refused: 'header-missing', sentence: /no filled row/ },
  },
  {
    name: 'has only quotation marks',
    build: () => '"'.repeat(100_001),
    expected: { refused: 'quote-not-closed', sentence: /row 1 / },
  },
  {
    name: 'has only NULs',
    build: () => Buffer.alloc(10_000),
    expected: { refused: 'damaged', sentence: /not copied to its end/ },
  },
  {
    name: 'is cut at 60 %, inside a row',
    build: () => underHeader('a,1', 'Quennell,2').slice(0, 20),
    expected: {
      header,
      rows: [
        ['a', '1'],
        ['Quenne', ''],
      ],
      problems: { 3: 'ragged-row' },
    },
  },
]
