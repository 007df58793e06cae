// Reads a whole cell in one step if it has the form in which spreadsheet programs write nearly all cells.

import { lastText, skipText, skipTextTag } from './skip-text.ts'
import { unescapeText } from './text-collector.ts'
import type { XmlBytes } from './xml-bytes.ts'

export interface UsualCell {
  /** Counted from 0. */
  column: number
  style: number
  type: string | undefined
  /** The content of `v`, or the unescaped `t` of an inline text; undefined if the cell is empty. */
  text: string | undefined
  /** The position after the cell. */
  end: number
}

const beginning = Buffer.from('<c r="')
const styled = Buffer.from(' s="')
const typed = Buffer.from(' t="')
const closed = Buffer.from('/>')
const valueForm = { begins: Buffer.from('<v>'), ends: Buffer.from('</v></c>') }
const inlineForm = { begins: Buffer.from('<is>'), ends: Buffer.from('</t></is></c>') }
const quote = 0x22
const greater = 0x3e

/**
 * Reads the cell `<c r="A1" s="2" t="s"><v>…</v></c>` at `at`, with or without style and type; for the type inlineStr
 * with `<is><t>…</t></is>` in place of `<v>…</v>`; or self-closing. Returns undefined for any other form.
 */
export function readUsualCell(xml: XmlBytes, at: number): UsualCell | undefined {
  const { bytes } = xml
  const letters = xml.skip(beginning, at)
  if (letters < 0) return undefined
  let column = 0
  let position = letters
  for (let byte = bytes[position] as number; byte >= 0x41 && byte <= 0x5a; byte = bytes[++position] as number)
    column = column * 26 + byte - 0x40
  const count = position - letters
  position = skipDigits(bytes, position)
  if (count < 1 || count > 3 || bytes[position++] !== quote) return undefined

  let style = 0
  const styleAt = xml.skip(styled, position)
  if (styleAt > 0) {
    position = skipDigits(bytes, styleAt)
    style = Number(xml.ascii(styleAt, position))
    if (position === styleAt || bytes[position++] !== quote) return undefined
  }
  let type: string | undefined
  const typeAt = xml.skip(typed, position)
  if (typeAt > 0) {
    position = skipLetters(bytes, typeAt)
    type = xml.ascii(typeAt, position)
    if (position === typeAt || bytes[position++] !== quote) return undefined
  }
  const cell: UsualCell = { column: column - 1, style, type, text: undefined, end: xml.skip(closed, position) }
  return cell.end > 0 || (bytes[position] === greater && readContent(cell, xml, position + 1)) ? cell : undefined
}

function readContent(cell: UsualCell, xml: XmlBytes, at: number): boolean {
  const inline = cell.type === 'inlineStr'
  const form = inline ? inlineForm : valueForm
  let start = xml.skip(form.begins, at)
  if (inline && start > 0) start = skipTextTag(xml, start)
  const end = start < 0 ? -1 : skipText(xml, start)
  if (end < 0) return false
  cell.end = xml.skip(form.ends, end)
  const text = lastText.ascii ? xml.ascii(start, end) : xml.text(start, end)
  cell.text = inline && lastText.underscored ? unescapeText(text) : text
  return cell.end > 0
}

function skipDigits(bytes: Buffer, at: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte >= 0x30 && byte <= 0x39; byte = bytes[++end] as number);
  return end
}

function skipLetters(bytes: Buffer, at: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte >= 0x41 && byte <= 0x7a; byte = bytes[++end] as number);
  return end
}
