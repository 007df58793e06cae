// Walks through the XML of one part, element by element, and refuses dangerous features of XML.

import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { openXmlDecoder, UndecodableError } from './decode-xml.ts'
import { refuseInvalid, refuseLongPiece } from './xml-refusals.ts'
import type { XmlVisitor } from './xml-visitor.ts'
import { type OpenWalker, openXmlWalker } from './xml-walker.ts'

/**
 * Feeds `chunks` to `visitor` and yields after each of them, so that the visitor's results can be passed on.
 * @throws SourceError: `forbidden-xml` for a DOCTYPE (in which entities are declared), `limit` or `damaged`
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
      const called = walker.write(decoder.decode(chunk))
      quietBytes = called ? 0 : quietBytes + chunk.length
      if (quietBytes > limits.xmlPieceBytes) throw refuseLongPiece(limits, refuse)
      yield
    }
    walker.write(decoder.end())
    walker.end()
    yield
  } catch (error) {
    // Any other error is a bug in credsync, not a fault of the file.
    throw error instanceof UndecodableError ? refuseInvalid(refuse) : error
  }
}

/** Walks through a part that is small enough to be processed in one go. */
export async function readXml(
  chunks: AsyncIterable<Buffer>,
  visitor: XmlVisitor,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<void> {
  for await (const _ of walkXml(chunks, visitor, limits, refuse));
}
