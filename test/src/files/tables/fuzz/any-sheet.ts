// Generates random tables and writes them as workbooks in every dialect: shared or inline strings, in runs or whole,
// with or without references, prefixes and compression.

import fc from 'fast-check'
import { buildZip } from '#test/support/build-zip.ts'
import { workbookMembers } from '#test/support/written-workbook.ts'

export interface AnySheet {
  bytes: Buffer
  rows: string[][]
}

const pieces = [
  'a',
  ' ',
  '  ',
  '\n',
  '\r',
  '\t',
  '<',
  '&',
  ']]>',
  '"',
  "'",
  '_x0041_',
  '_x',
  'é',
  '李',
  '😀',
  'e\u0301',
  '=',
  '0',
]
const cell = fc.array(fc.constantFrom(...pieces), { maxLength: 6 }).map((parts) => parts.join(''))
const dialects = fc.record({
  shared: fc.boolean(),
  runs: fc.boolean(),
  references: fc.boolean(),
  prefix: fc.boolean(),
  deflate: fc.boolean(),
  phoneticGuides: fc.boolean(),
  cdata: fc.boolean(),
  filler: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 65_100, max: 65_500 }) },
  ),
})
type Dialect = typeof dialects extends fc.Arbitrary<infer T> ? T : never

const width = 3
const row = fc.array(cell, { minLength: width, maxLength: width })

export const anySheet: fc.Arbitrary<AnySheet> = fc
  .record({ dialect: dialects, rows: fc.array(row, { maxLength: 12 }) })
  .map(({ dialect, rows }) => ({
    bytes: write(dialect, [['A', 'B', 'C'], ...rows]),
    rows: rows.filter((cells) => cells.some((cell) => cell.trim() !== '')),
  }))

function write(dialect: Dialect, rows: string[][]): Buffer {
  const shared: string[] = []
  const lines = rows.map((cells, y) => {
    const inside = cells.map((text, x) => {
      const reference = dialect.references ? ` r="${'ABC'.charAt(x)}${y + 1}"` : ''
      if (!dialect.shared) return `<c${reference} t="inlineStr"><is>${writeText(text, dialect)}</is></c>`
      shared.push(`<si>${writeText(text, dialect)}</si>`)
      return `<c${reference} t="s"><v>${shared.length - 1}</v></c>`
    })
    return `<row${dialect.references ? ` r="${y + 1}"` : ''}>${inside.join('')}</row>`
  })
  // A comment moves the following text to the boundary of the chunks in which a part is inflated.
  const filler = dialect.filler > 0 ? `<!--${'x'.repeat(dialect.filler)}-->` : ''
  const members = workbookMembers({ rows: filler + lines.join(''), sharedStrings: filler + shared.join('') })
  return buildZip(
    members.map((member) => ({
      ...member,
      deflate: dialect.deflate,
      content: addPrefixes(String(member.content), dialect),
    })),
  )
}

/** Writes one text in runs that are split between its letters. */
function writeText(text: string, dialect: Dialect): string {
  const phoneticGuide = dialect.phoneticGuides ? '<rPh sb="0" eb="1"><t>aid</t></rPh><phoneticPr fontId="1"/>' : ''
  if (!dialect.runs) return `<t xml:space="preserve">${encodeText(text, dialect)}</t>${phoneticGuide}`
  // Escapes are not split, because they would no longer be escapes.
  const parts = text.match(/_x0041_|./gsu) ?? []
  return (
    parts.map((part) => `<r><rPr><b/></rPr><t xml:space="preserve">${encodeText(part, dialect)}</t></r>`).join('') +
    phoneticGuide
  )
}

function encodeText(text: string, dialect: Dialect): string {
  const kept = text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replaceAll('\r', '_x000D_')
  if (dialect.cdata && !kept.includes(']]>')) return `<![CDATA[${kept}]]>`
  return kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
}

function addPrefixes(xml: string, dialect: Dialect): string {
  if (!dialect.prefix || !/^<(worksheet|sst)/.test(xml)) return xml
  return xml
    .replace(/<!\[CDATA\[.*?\]\]>|<!--.*?-->|<(\/?)(\w)/gs, (whole, slash, letter) =>
      letter ? `<${slash}x:${letter}` : whole,
    )
    .replace('xmlns=', 'xmlns:x=')
}
