// Draws tables by chance and writes them as a workbook in any of its ways: shared or inline, in runs or whole, with or
// without references, prefixes and packing.

import fc from 'fast-check'
import { buildZip } from '#test/support/stored-zip.ts'
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
const ways = fc.record({
  shared: fc.boolean(),
  runs: fc.boolean(),
  references: fc.boolean(),
  prefix: fc.boolean(),
  deflate: fc.boolean(),
  aids: fc.boolean(),
  cdata: fc.boolean(),
  filler: fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 65_100, max: 65_500 }) },
  ),
})
type Ways = typeof ways extends fc.Arbitrary<infer T> ? T : never

const width = 3
const row = fc.array(cell, { minLength: width, maxLength: width })

export const anySheet: fc.Arbitrary<AnySheet> = fc
  .record({ way: ways, rows: fc.array(row, { maxLength: 12 }) })
  .map(({ way, rows }) => ({
    bytes: write(way, [['A', 'B', 'C'], ...rows]),
    rows: rows.filter((cells) => cells.some((each) => each.trim() !== '')),
  }))

function write(way: Ways, rows: string[][]): Buffer {
  const shared: string[] = []
  const lines = rows.map((cells, y) => {
    const inside = cells.map((text, x) => {
      const place = way.references ? ` r="${'ABC'.charAt(x)}${y + 1}"` : ''
      if (!way.shared) return `<c${place} t="inlineStr"><is>${writeText(text, way)}</is></c>`
      shared.push(`<si>${writeText(text, way)}</si>`)
      return `<c${place} t="s"><v>${shared.length - 1}</v></c>`
    })
    return `<row${way.references ? ` r="${y + 1}"` : ''}>${inside.join('')}</row>`
  })
  // A comment brings what follows to the border of the pieces in which a part is inflated.
  const filler = way.filler > 0 ? `<!--${'x'.repeat(way.filler)}-->` : ''
  const members = workbookMembers({ rows: filler + lines.join(''), sharedStrings: filler + shared.join('') })
  return buildZip(members.map((each) => ({ ...each, deflate: way.deflate, content: dress(String(each.content), way) })))
}

/** One text, in runs that are cut between its letters. */
function writeText(text: string, way: Ways): string {
  const aid = way.aids ? '<rPh sb="0" eb="1"><t>aid</t></rPh><phoneticPr fontId="1"/>' : ''
  if (!way.runs) return `<t xml:space="preserve">${encodeText(text, way)}</t>${aid}`
  // An escape that is cut in two would be none.
  const parts = text.match(/_x0041_|./gsu) ?? []
  return (
    parts.map((part) => `<r><rPr><b/></rPr><t xml:space="preserve">${encodeText(part, way)}</t></r>`).join('') + aid
  )
}

function encodeText(text: string, way: Ways): string {
  const kept = text.replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_').replaceAll('\r', '_x000D_')
  if (way.cdata && !kept.includes(']]>')) return `<![CDATA[${kept}]]>`
  return kept.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll(']]>', ']]&gt;')
}

function dress(xml: string, way: Ways): string {
  if (!way.prefix || !/^<(worksheet|sst)/.test(xml)) return xml
  return xml
    .replace(/<!\[CDATA\[.*?\]\]>|<!--.*?-->|<(\/?)(\w)/gs, (whole, slash, letter) =>
      letter ? `<${slash}x:${letter}` : whole,
    )
    .replace('xmlns=', 'xmlns:x=')
}
