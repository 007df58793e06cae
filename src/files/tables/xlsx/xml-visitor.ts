// The interface of a visitor of XML, which is called for each element and text.

export type Attributes = Record<string, string>

/**
 * The names passed to a visitor have no namespace prefix, because some programs prefix every element. `parent` is ''
 * for the root.
 */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes, parent: string): void
  text?(text: string, element: string): void
  close?(name: string, parent: string): void
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
