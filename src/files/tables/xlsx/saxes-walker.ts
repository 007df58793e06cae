// Walks through XML with saxes, which supports the whole standard, and refuses its dangerous features.

import { SaxesParser } from 'saxes'
import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { refuseInvalid, refuseNesting } from './xml-refusals.ts'
import { localName, type XmlVisitor, type XmlWalker } from './xml-visitor.ts'

/**
 * Throws SourceError: `forbidden-xml` for a DOCTYPE (in which entities are declared), `limit` or `damaged`.
 * @param opened XML that precedes the start of the walk; the visitor is not called for it
 */
export function openSaxes(visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse, opened = ''): XmlWalker {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const path: string[] = []
  let mute = true
  let called = false
  parser.on('error', () => {
    throw refuseInvalid(refuse)
  })
  parser.on('doctype', () => {
    throw refuse(
      'forbidden-xml',
      'The workbook declares a document type, which no spreadsheet program does. Save the workbook again in a spreadsheet program.',
    )
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?(8|16)$/i.test(encoding)) throw refuseInvalid(refuse)
  })
  parser.on('opentag', (tag) => {
    called = true
    const name = localName(tag.name)
    if (!mute) visitor.open?.(name, tag.attributes, path.at(-1) ?? '')
    path.push(name)
    if (path.length > limits.xmlNesting) throw refuseNesting(limits, refuse)
  })
  parser.on('closetag', () => {
    called = true
    const name = path.pop() ?? ''
    if (!mute) visitor.close?.(name, path.at(-1) ?? '')
  })
  const onText = (text: string) => {
    called = true
    if (!mute) visitor.text?.(text, path.at(-1) ?? '')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(opened)
  mute = false
  return {
    write(bytes) {
      called = false
      parser.write(bytes.toString())
      return called
    },
    end: () => void parser.close(),
  }
}
