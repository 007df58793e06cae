// JSON Pointer (RFC 6901): its syntax, and reading or removing the value that a pointer such as /user/id refers to.

/**
 * A pointer is empty (the whole document), or consists of member names and list indexes, each after a slash. Within a
 * name, ~ is written ~0 and / is written ~1.
 */
export const pointerPattern = /^(\/([^~]|~[01])*)?$/

/**
 * Returns the value at `pointer`, or undefined if there is none or the pointer is invalid. Inherited properties do not
 * count.
 */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) return undefined
  let value = document
  for (const encodedName of pointer.slice(1).split('/')) {
    const name = decodeName(encodedName)
    if (Array.isArray(value)) value = /^(0|[1-9]\d{0,8})$/.test(name) ? value[Number(name)] : undefined
    else if (typeof value === 'object' && value !== null && Object.hasOwn(value, name))
      value = (value as Record<string, unknown>)[name]
    else return undefined
  }
  return value
}

/**
 * Removes the object member that `pointer` refers to, if there is one. List entries and the whole document are not
 * removed.
 */
export function removeAt(document: unknown, pointer: string): void {
  const lastSlash = pointer.lastIndexOf('/')
  const holder = lastSlash < 0 ? undefined : valueAt(document, pointer.slice(0, lastSlash))
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return
  delete (holder as Record<string, unknown>)[decodeName(pointer.slice(lastSlash + 1))]
}

/** Escapes `name` for use in a pointer. */
export function escapeName(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

const decodeName = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
