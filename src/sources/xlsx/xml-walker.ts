// The two who walk through XML. Usual XML is read by a tokenizer of ours; at the first unusual thing,
// and for all that comes after it, saxes takes over, which knows the whole standard and is slower.

import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { PlainXml } from './plain-xml.ts'
import { openSaxes } from './saxes-walker.ts'
import type { XmlVisitor } from './xml-visitor.ts'

export interface XmlWalker {
  /**
   * Walks on through UTF-8 that ends with a whole letter, as far as can be seen. Whether it told the visitor anything.
   * Throws SourceError.
   */
  write(bytes: Buffer): boolean
  /** What is left open now is damage. Throws SourceError. */
  end(): void
}

export type OpenWalker = (visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse) => XmlWalker

export const openXmlWalker: OpenWalker = (visitor, limits, refuse) => {
  const plain = new PlainXml(visitor, limits, refuse)
  let saxes: XmlWalker | undefined
  const takeOver = () => {
    saxes = openSaxes(visitor, limits, refuse, plain.openedSoFar())
    return saxes.write(Buffer.from(plain.rest()))
  }
  return {
    write(bytes) {
      if (saxes) return saxes.write(bytes)
      const usual = plain.write(bytes)
      const told = plain.takeTold()
      return (!usual && takeOver()) || told
    },
    end() {
      if (!saxes && !plain.end()) takeOver()
      saxes?.end()
    },
  }
}
