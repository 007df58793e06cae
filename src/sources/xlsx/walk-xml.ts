// Walks through the XML of one part, element by element, with the dangerous half of XML refused.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { openXmlDecoder, UndecodableError } from './decode-xml.ts'
import { refuseInvalid, refusePiece } from './xml-refusals.ts'
import type { XmlVisitor } from './xml-visitor.ts'
import { type OpenWalker, openXmlWalker } from './xml-walker.ts'

/**
 * Feeds `chunks` to `visitor` and yields after each of them, so that what the visitor gathered can be handed on.
 * Throws SourceError: `forbidden-xml` for a DOCTYPE (entities are declared there), `limit`, `damaged`.
 */
export async function* walkXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  limits: SourceLimits,
  refuse: Refuse,
  openWalker: OpenWalker = openXmlWalker,
): AsyncGenerator<void, void, undefined> {
  const walker = openWalker(visitor, limits, refuse)
  const decoder = openXmlDecoder()
  let quietBytes = 0
  try {
    for await (const chunk of chunks) {
      const told = walker.write(decoder.decode(chunk))
      quietBytes = told ? 0 : quietBytes + chunk.length
      if (quietBytes > limits.xmlPieceBytes) throw refusePiece(limits, refuse)
      yield
    }
    walker.write(decoder.end())
    walker.end()
    yield
  } catch (error) {
    // Whatever else comes here is a fault of ours, and must not be called the file's.
    throw error instanceof UndecodableError ? refuseInvalid(refuse) : error
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
