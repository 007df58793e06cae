// Generates random tables and writes them as CSV in every dialect. This writer tests the reader independently of the
// writer in src.

import fc from 'fast-check'

export interface AnyCsv {
  bytes: Buffer
  options: { delimiter?: string; encoding?: string }
  header: string[]
  rows: string[][]
}

const delimiters = [',', ';', '\t', '|']
const encodings = [
  'utf-8',
  'utf-8 marked',
  'utf-16le',
  'utf-16le marked',
  'utf-16be',
  'utf-16be marked',
  'windows-1252',
] as const

// Fragments of cells that confuse parsers. Control characters and lost letters are row problems, which have separate
// tests.
const pieces = [
  ...delimiters,
  '"',
  '""',
  '\n',
  '\r',
  '\r\n',
  ' ',
  '=',
  "'",
  // Mixed with ASCII letters, because words of accented letters alone contradict the declared encoding.
  'né',
  'bü',
  'a',
  '0',
  '00815',
  'sep=',
  '\u2028',
]
const wide = ['李', '上', '不', 'ж', '€', '😀', 'e\u0301', '\ufeff', '\u200d', 'ਊ', 'Ā']

const letters = (narrow: boolean) =>
  fc.constantFrom(...pieces.filter((piece) => piece !== '\u2028' || !narrow), ...(narrow ? [] : wide))
// Quoted text that starts with a quotation mark and has another one after a line break cannot be distinguished from
// swallowed rows; nor can text whose lines have as many separators as a row. A byte order mark at the start of a line is
// dropped, and marks with blanks around them are taken as those of CSV.
const cells = (narrow: boolean) =>
  fc
    .array(letters(narrow), { maxLength: 6 })
    .map((parts) => parts.join('').replace(/(^|[\r\n])\ufeff+/g, '$1'))
    .map((text) => withoutRows(text.replace(/^"(?=.*[\r\n\t ])|^[ \t]+"/s, 'x"')))

/** Removes separators from multi-line text. */
function withoutRows(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[,;\t|]/g, 'x') : text
}

const dialects = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  encoding: fc.constantFrom(...encodings),
  lineEnds: fc.constantFrom(['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r']),
  width: fc.integer({ min: 1, max: 5 }),
  quoting: fc.constantFrom('all', 'needed', 'mixed'),
  declares: fc.boolean(),
  announces: fc.boolean(),
  ends: fc.boolean(),
  // Moves the following text to the boundary of the chunks in which files are read.
  filler: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 65_430, max: 65_540 }) },
  ),
})
type Dialect = typeof dialects extends fc.Arbitrary<infer T> ? T : never

export const anyCsv: fc.Arbitrary<AnyCsv> = dialects.chain((dialect) => {
  const row = fc.array(cells(dialect.encoding === 'windows-1252'), {
    minLength: dialect.width,
    maxLength: dialect.width,
  })
  return fc.array(row, { maxLength: 12 }).map((rows) => write(dialect, rows))
})

function write(dialect: Dialect, drawn: string[][]): AnyCsv {
  const header = Array.from({ length: dialect.width }, (_, index) => `Column ${index}`)
  const filler = dialect.filler === 0 ? [] : fill(dialect.filler, dialect.width)
  const rows = [...filler, ...drawn]
  const end = (index: number) => dialect.lineEnds[index % dialect.lineEnds.length] as string
  const lines = [header, ...rows].map((row, index) =>
    row.map((cell, at) => quote(cell, dialect, index + at)).join(dialect.delimiter),
  )
  const marked = dialect.encoding.endsWith('marked')
  const announced = dialect.announces ? `sep=${dialect.delimiter}${end(0)}` : ''
  const body = lines
    .map((line, index) => (dialect.ends || index < lines.length - 1 ? line + end(index) : line))
    .join('')
  const encoding = dialect.encoding.replace(' marked', '')
  // UTF-16 without a byte order mark is declared as well, because a short file may have too few NULs to recognize it.
  const declares = dialect.declares || (!marked && encoding !== 'utf-8')
  return {
    bytes: encode((marked ? '\ufeff' : '') + announced + body, encoding),
    options: { ...(dialect.declares && { delimiter: dialect.delimiter }), ...(declares && { encoding }) },
    header,
    rows: rows.filter((row) => row.some((cell) => cell.trim() !== '')),
  }
}

function quote(cell: string, dialect: Dialect, position: number): string {
  const needed = /[",;\t|\r\n]/.test(cell)
  if (needed || dialect.quoting === 'all' || (dialect.quoting === 'mixed' && position % 2 === 0))
    return `"${cell.replaceAll('"', '""')}"`
  return cell
}

/** Generates rows with a total of about `bytes` bytes. */
function fill(bytes: number, width: number): string[][] {
  const row = (length: number) => ['x'.repeat(length), ...Array(width - 1).fill('')]
  return [row(30_000), row(30_000), row(bytes - 60_000)]
}

function encode(text: string, encoding: string): Buffer {
  if (encoding === 'windows-1252') return Buffer.from(text, 'latin1')
  if (encoding === 'utf-8') return Buffer.from(text)
  const bytes = Buffer.from(text, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}
