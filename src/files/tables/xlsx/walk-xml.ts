// Walks through the XML of one part, element by element, and refuses dangerous features of XML.

import { TextDecoder } from 'node:util'
import { SaxesParser } from 'saxes'
import type { TableReading } from '#src/files/tables/source-limits.ts'

const damaged = 'The workbook contains invalid XML. Open it in a spreadsheet program and save it again.'

/**
 * Feeds `chunks` to `visitor` and yields after each of them, so that the visitor's results can be passed on.
 * @throws SourceError: `forbidden-xml` for a DOCTYPE (in which entities are declared), `limit` or `damaged`
 */
export async function* walkXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  reading: TableReading,
): AsyncGenerator<void, void, undefined> {
  const { limits, refuse } = reading
  const walker = openWalker(visitor, reading)
  let decoder: TextDecoder | undefined
  const decode = (chunk?: Buffer) => {
    try {
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true })
      return decoder.decode(chunk, { stream: chunk !== undefined })
    } catch {
      throw refuse('damaged', damaged)
    }
  }
  let quietBytes = 0
  for await (const chunk of chunks) {
    const called = walker.write(decode(chunk))
    quietBytes = called ? 0 : quietBytes + chunk.length
    if (quietBytes > limits.xmlPieceBytes) {
      throw refuse(
        'limit',
        `The workbook contains a piece of XML that is longer than the limit of ${limits.xmlPieceBytes} bytes. Send the table as CSV.`,
      )
    }
    yield
  }
  walker.write(decode())
  walker.end()
  yield
}

/** Walks through a part that is small enough to be processed in one go. */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  reading: TableReading,
): Promise<void> {
  for await (const _ of walkXml(chunks, visitor, reading));
}

/** Returns the encoding that the byte order mark shows; XML without a mark is UTF-8. */
function encodingOf(first: Buffer | undefined): string {
  const start = first && first.length >= 2 ? first.readUInt16BE(0) : 0
  if (start === 0xfffe) return 'utf-16le'
  return start === 0xfeff ? 'utf-16be' : 'utf-8'
}

function openWalker(visitor: XmlVisitor, { limits, refuse }: TableReading) {
  const parser = new SaxesParser<{ xmlns: false; position: false }>({ xmlns: false, position: false })
  const path: string[] = []
  let called = false
  parser.on('error', () => {
    throw refuse('damaged', damaged)
  })
  parser.on('doctype', () => {
    throw refuse(
      'forbidden-xml',
      'The workbook declares a document type, which no spreadsheet program does. Save the workbook again in a spreadsheet program.',
    )
  })
  parser.on('xmldecl', ({ encoding }) => {
    if (encoding !== undefined && !/^utf-?(8|16)$/i.test(encoding)) throw refuse('damaged', damaged)
  })
  parser.on('opentag', (tag) => {
    called = true
    const name = localName(tag.name)
    visitor.open?.(name, tag.attributes, path.at(-1) ?? '')
    path.push(name)
    if (path.length > limits.xmlNesting) {
      throw refuse(
        'limit',
        `The workbook nests XML more deeply than the limit of ${limits.xmlNesting} levels. Save it again.`,
      )
    }
  })
  parser.on('closetag', () => {
    called = true
    const name = path.pop() ?? ''
    visitor.close?.(name, path.at(-1) ?? '')
  })
  const onText = (text: string) => {
    called = true
    visitor.text?.(text, path.at(-1) ?? '')
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  return {
    /** Returns true if the visitor was called. */
    write(text: string): boolean {
      called = false
      parser.write(text)
      return called
    },
    end: () => void parser.close(),
  }
}

export type Attributes = Record<string, string>

/**
 * The functions of a visitor are called for each element and each text. The names passed to them have no namespace
 * prefix, because some programs prefix every element. `parent` is '' for the root.
 */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes, parent: string): void
  text?(text: string, element: string): void
  close?(name: string, parent: string): void
}

/** Returns a name without its prefix. */
function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/**
 * Returns the value of the attribute called `name` with any prefix, because some programs write `rel:id` instead of
 * `r:id`.
 */
export function attributeNamed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((attribute) => localName(attribute) === name)
  return key === undefined ? undefined : attributes[key]
}
