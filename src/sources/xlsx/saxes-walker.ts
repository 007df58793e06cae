// Walks through XML with saxes, which knows all of it, and refuses its dangerous half.

import { SaxesParser } from 'saxes'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { refuseInvalid, refuseNesting } from './xml-refusals.ts'
import { localName, type XmlVisitor } from './xml-visitor.ts'
import type { XmlWalker } from './xml-walker.ts'

/**
 * `opened` is XML that leads to where the walk begins, and of which the visitor is told nothing. Refused are
 * `forbidden-xml`, a DOCTYPE (entities are declared there), `limit` and `damaged`.
 */
export function openSaxes(visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse, opened = ''): XmlWalker {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const path: string[] = []
  let mute = true
  let told = false
  parser.on('error', () => {
    throw refuseInvalid(refuse)
  })
  parser.on('doctype', () => {
    throw refuse(
      'forbidden-xml',
      'The workbook declares a document type, which no spreadsheet program does. Save it anew in one.',
    )
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?(8|16)$/i.test(encoding)) throw refuseInvalid(refuse)
  })
  parser.on('opentag', (tag) => {
    told = true
    const name = localName(tag.name)
    if (!mute) visitor.open?.(name, tag.attributes, path.at(-1) ?? '')
    path.push(name)
    if (path.length > limits.xmlNesting) throw refuseNesting(limits, refuse)
  })
  parser.on('closetag', () => {
    told = true
    const name = path.pop() ?? ''
    if (!mute) visitor.close?.(name, path.at(-1) ?? '')
  })
  const onText = (text: string) => {
    told = true
    if (!mute) visitor.text?.(text, path.at(-1) ?? '')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(opened)
  mute = false
  return {
    write(bytes) {
      told = false
      parser.write(bytes.toString())
      return told
    },
    end: () => void parser.close(),
  }
}
