// The interfaces between a walker through XML and its visitor, which is called for each element and text.

import type { XmlBytes } from './xml-bytes.ts'

export type Attributes = Record<string, string>

/**
 * The names passed to a visitor have no namespace prefix, because some programs prefix every element. `parent` is ''
 * for the root.
 */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes, parent: string): void
  text?(text: string, element: string): void
  close?(name: string, parent: string): void
  /**
   * Optionally reads a whole element that begins at `at`; the other methods are then not called for it. Returns the
   * position after the element; `at` itself if there is no element that the visitor can read, or it is cut off or
   * unusual.
   */
  fastPath?(xml: XmlBytes, at: number, parent: string): number
}

export interface XmlWalker {
  /**
   * Processes as much as possible of UTF-8 that ends with a complete character. Returns true if the visitor was called.
   * @throws SourceError
   */
  write(bytes: Buffer): boolean
  /** Ends the walk. @throws SourceError if an element is still open */
  end(): void
}

/** Returns a name without its prefix. */
export function localName(name: string): string {
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
