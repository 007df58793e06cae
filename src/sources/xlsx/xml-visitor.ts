// What those who walk through XML tell of it, and to whom.

import type { XmlBytes } from './xml-bytes.ts'

export type Attributes = Record<string, string>

/** Names come without their namespace prefix: some writers prefix every element. `parent` is '' for the root. */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes, parent: string): void
  text?(text: string, element: string): void
  close?(name: string, parent: string): void
  /**
   * May take a whole element that begins at `at`, of which nothing else is told then. Gives where it ends; `at` itself when
   * there is no such element, or it is cut off, or it is not written as most of them are.
   */
  leap?(xml: XmlBytes, at: number, parent: string): number
}

/** A name without its prefix. */
export function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** The value of the attribute called `name` under any prefix: `r:id` is spelt `rel:id` by some writers. */
export function attributeNamed(attributes: Attributes, name: string): string | undefined {
  const key = Object.keys(attributes).find((each) => localName(each) === name)
  return key === undefined ? undefined : attributes[key]
}
