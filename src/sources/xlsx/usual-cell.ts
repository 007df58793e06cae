// Reads a whole cell at once, when it is written as spreadsheet programs write nearly all of them.

import { lastText, overText, overTextTag } from './over-text.ts'
import { unescapeText } from './text-collector.ts'
import type { XmlBytes } from './xml-bytes.ts'

export interface UsualCell {
  /** Counted from 0. */
  column: number
  style: number
  type: string | undefined
  /** What `v`, or the `t` of a text in the cell, holds; the latter unescaped. Undefined when the cell holds nothing. */
  text: string | undefined
  /** Where it ends. */
  end: number
}

const beginning = Buffer.from('<c r="')
const styled = Buffer.from(' s="')
const typed = Buffer.from(' t="')
const closed = Buffer.from('/>')
const value = { begins: Buffer.from('<v>'), ends: Buffer.from('</v></c>') }
const inside = { begins: Buffer.from('<is>'), ends: Buffer.from('</t></is></c>') }
const quote = 0x22
const greater = 0x3e

/**
 * The cell `<c r="A1" s="2" t="s"><v>…</v></c>` at `at`, with or without style and type; for the type inlineStr
 * `<is><t>…</t></is>` in place of `<v>…</v>`; or closed at once. Undefined for any other.
 */
export function readUsualCell(xml: XmlBytes, at: number): UsualCell | undefined {
  const { bytes } = xml
  const letters = xml.over(beginning, at)
  if (letters < 0) return undefined
  let column = 0
  let place = letters
  for (let byte = bytes[place] as number; byte >= 0x41 && byte <= 0x5a; byte = bytes[++place] as number)
    column = column * 26 + byte - 0x40
  const count = place - letters
  place = overDigits(bytes, place)
  if (count < 1 || count > 3 || bytes[place++] !== quote) return undefined

  let style = 0
  const styleAt = xml.over(styled, place)
  if (styleAt > 0) {
    place = overDigits(bytes, styleAt)
    style = Number(xml.ascii(styleAt, place))
    if (place === styleAt || bytes[place++] !== quote) return undefined
  }
  let type: string | undefined
  const typeAt = xml.over(typed, place)
  if (typeAt > 0) {
    place = overLetters(bytes, typeAt)
    type = xml.ascii(typeAt, place)
    if (place === typeAt || bytes[place++] !== quote) return undefined
  }
  const cell: UsualCell = { column: column - 1, style, type, text: undefined, end: xml.over(closed, place) }
  return cell.end > 0 || (bytes[place] === greater && readContent(cell, xml, place + 1)) ? cell : undefined
}

function readContent(cell: UsualCell, xml: XmlBytes, at: number): boolean {
  const inline = cell.type === 'inlineStr'
  const form = inline ? inside : value
  let start = xml.over(form.begins, at)
  if (inline && start > 0) start = overTextTag(xml, start)
  const end = start < 0 ? -1 : overText(xml, start)
  if (end < 0) return false
  cell.end = xml.over(form.ends, end)
  const text = lastText.ascii ? xml.ascii(start, end) : xml.text(start, end)
  cell.text = inline && lastText.underscored ? unescapeText(text) : text
  return cell.end > 0
}

function overDigits(bytes: Buffer, at: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte >= 0x30 && byte <= 0x39; byte = bytes[++end] as number);
  return end
}

function overLetters(bytes: Buffer, at: number): number {
  let end = at
  for (let byte = bytes[end] as number; byte >= 0x41 && byte <= 0x7a; byte = bytes[++end] as number);
  return end
}
