// Draws tables by chance and writes them as CSV in any of its ways. A second writer beside our own, so that the reader is
// held against what was meant and not against itself.

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

// Made of what parsers trip over. Control characters and lost letters are a row's problem and have tests of their own.
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
  // Words of nothing but such letters speak against the encoding that was declared.
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
// A quoted text that begins with a mark and has another one below a line end cannot be told from rows that were swallowed, nor
// one of which the lines have separators as a row has them.
const cells = (narrow: boolean) =>
  fc
    .array(letters(narrow), { maxLength: 6 })
    .map((parts) => withoutRows(parts.join('').replace(/^"(?=.*[\r\n])/s, 'x"')))

/** A text of several lines keeps no separator. */
function withoutRows(text: string): string {
  return /[\r\n]/.test(text) ? text.replace(/[,;\t|]/g, 'x') : text
}

const ways = fc.record({
  delimiter: fc.constantFrom(...delimiters),
  encoding: fc.constantFrom(...encodings),
  lineEnds: fc.constantFrom(['\n'], ['\r\n'], ['\r'], ['\n', '\r\n', '\r']),
  width: fc.integer({ min: 1, max: 5 }),
  quoting: fc.constantFrom('all', 'needed', 'mixed'),
  declares: fc.boolean(),
  announces: fc.boolean(),
  ends: fc.boolean(),
  // Brings what follows to the border of the chunks in which files are read.
  filler: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 65_430, max: 65_540 }) },
  ),
})
type Ways = typeof ways extends fc.Arbitrary<infer T> ? T : never

export const anyCsv: fc.Arbitrary<AnyCsv> = ways.chain((way) => {
  const row = fc.array(cells(way.encoding === 'windows-1252'), { minLength: way.width, maxLength: way.width })
  return fc.array(row, { maxLength: 12 }).map((rows) => write(way, rows))
})

function write(way: Ways, drawn: string[][]): AnyCsv {
  const header = Array.from({ length: way.width }, (_, index) => `Column ${index}`)
  const filler = way.filler === 0 ? [] : fill(way.filler, way.width)
  const rows = [...filler, ...drawn]
  const end = (index: number) => way.lineEnds[index % way.lineEnds.length] as string
  const lines = [header, ...rows].map((row, index) =>
    row.map((cell, at) => quote(cell, way, index + at)).join(way.delimiter),
  )
  const marked = way.encoding.endsWith('marked')
  const announced = way.announces ? `sep=${way.delimiter}${end(0)}` : ''
  const body = lines.map((line, index) => (way.ends || index < lines.length - 1 ? line + end(index) : line)).join('')
  const encoding = way.encoding.replace(' marked', '')
  // UTF-16 without a mark and Windows-1252 are guesses; here is tested what is read, not what is guessed.
  const declares = way.declares || (!marked && encoding !== 'utf-8')
  return {
    bytes: encode((marked ? '\ufeff' : '') + announced + body, encoding),
    options: { ...(way.declares && { delimiter: way.delimiter }), ...(declares && { encoding }) },
    header,
    rows: rows.filter((row) => row.some((cell) => cell.trim() !== '')),
  }
}

function quote(cell: string, way: Ways, dice: number): string {
  const needed = /[",;\t|\r\n]/.test(cell)
  if (needed || way.quoting === 'all' || (way.quoting === 'mixed' && dice % 2 === 0))
    return `"${cell.replaceAll('"', '""')}"`
  return cell
}

/** Rows of about `bytes` bytes together. */
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
