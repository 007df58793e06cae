// Combines the two XML walkers: the fast tokenizer reads usual XML, and at the first unusual piece, saxes takes
// over. It supports the whole standard but is slower.

import type { Refuse } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { PlainXml } from './plain-xml.ts'
import { openSaxes } from './saxes-walker.ts'
import type { XmlVisitor, XmlWalker } from './xml-visitor.ts'

export type OpenWalker = (visitor: XmlVisitor, limits: SourceLimits, refuse: Refuse) => XmlWalker

export const openXmlWalker: OpenWalker = (visitor, limits, refuse) => {
  const plain = new PlainXml(visitor, limits, refuse)
  let saxes: XmlWalker | undefined
  const takeOver = () => {
    saxes = openSaxes(visitor, limits, refuse, plain.openElementsXml())
    return saxes.write(Buffer.from(plain.rest()))
  }
  return {
    write(bytes) {
      if (saxes) return saxes.write(bytes)
      const usual = plain.write(bytes)
      const called = plain.takeCalled()
      return (!usual && takeOver()) || called
    },
    end() {
      if (!saxes && !plain.end()) takeOver()
      saxes?.end()
    },
  }
}
