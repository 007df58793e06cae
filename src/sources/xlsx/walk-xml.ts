// Walks through the XML of one part, element by element, with the dangerous half of XML refused.

import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import { type Refuse, SourceError } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'

export type Attributes = Record<string, string>

/** Names come without their namespace prefix: some writers prefix every element. `parent` is '' for the root. */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes, parent: string): void
  text?(text: string, element: string): void
  close?(name: string, parent: string): void
}

const damaged = 'The workbook holds XML that is not valid. Open it in a spreadsheet program and save it anew.'

/**
 * Feeds `chunks` to `visitor` and yields after each of them, so that what the visitor gathered can be handed on.
 * Throws SourceError: `forbidden-xml` for a DOCTYPE (entities are declared there), `limit`, `damaged`.
 */
export async function* walkXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  limits: SourceLimits,
  refuse: Refuse,
): AsyncGenerator<void, void, undefined> {
  const progress = { quietBytes: 0 }
  const parser = openParser(visitor, progress, limits, refuse)
  let decoder: TextDecoder | undefined
  try {
    for await (const chunk of chunks) {
      decoder ??= decoderFor(chunk)
      progress.quietBytes += chunk.length
      parser.write(decoder.decode(chunk, { stream: true }))
      if (progress.quietBytes > limits.xmlPieceBytes) {
        throw refuse(
          'limit',
          `The workbook holds a piece of XML longer than ${limits.xmlPieceBytes} bytes, the limit. Send it as CSV.`,
        )
      }
      yield
    }
    parser.write(decoder?.decode() ?? '')
    parser.close()
    yield
  } catch (error) {
    if (error instanceof SourceError || !isInvalid(error)) throw error
    throw refuse('damaged', damaged)
  }
}

/** The same for a part that is small enough to be walked through in one go. */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<void> {
  for await (const _ of walkXml(chunks, visitor, limits, refuse));
}

/** The value of the attribute called `name` under any prefix: `r:id` is spelt `rel:id` by some writers. */
export function attributeNamed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => localName(each) === name)
  return key === undefined ? undefined : attributes[key]
}

function openParser(visitor: XmlVisitor, progress: { quietBytes: number }, limits: SourceLimits, refuse: Refuse) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const path: string[] = []
  parser.on('error', () => {
    throw refuse('damaged', damaged)
  })
  parser.on('doctype', () => {
    throw refuse(
      'forbidden-xml',
      'The workbook declares a document type, which no spreadsheet program does. Save it anew in one.',
    )
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?(8|16)$/i.test(encoding)) throw refuse('damaged', damaged)
  })
  parser.on('opentag', (tag) => {
    progress.quietBytes = 0
    const name = localName(tag.name)
    visitor.open?.(name, tag.attributes, path.at(-1) ?? '')
    path.push(name)
    if (path.length > limits.xmlNesting) {
      throw refuse('limit', `The workbook nests XML deeper than ${limits.xmlNesting} levels, the limit. Save it anew.`)
    }
  })
  parser.on('closetag', () => {
    progress.quietBytes = 0
    const name = path.pop() ?? ''
    visitor.close?.(name, path.at(-1) ?? '')
  })
  const onText = (text: string) => {
    progress.quietBytes = 0
    visitor.text?.(text, path.at(-1) ?? '')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  return parser
}

function decoderFor(first: Buffer): TextDecoder {
  const mark = first.length >= 2 ? first.readUInt16BE(0) : 0
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true })
}

/** Bytes that are not in the encoding. Whatever else comes here is a fault of ours, and must not be called the file's. */
function isInvalid(error: unknown): boolean {
  return (error as { code?: unknown }).code === 'ERR_ENCODING_INVALID_ENCODED_DATA'
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}
