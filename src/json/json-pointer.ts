// JSON Pointer, RFC 6901: its form, and the value that a text such as /user/id points at.

/** The whole document, or names and numbers of entries, each behind a stroke. Inside of a name ~ is written ~0 and / is written ~1. */
export const pointerForm = /^(\/([^~]|~[01])*)?$/

/**
 * The value at `pointer`, or undefined when nothing stands there or it is no pointer. Only what the document itself has counts, never
 * what every object inherits.
 */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
  if (!pointer.startsWith('/')) return undefined
  let at = document
  for (const coded of pointer.slice(1).split('/')) {
    const name = decoded(coded)
    if (Array.isArray(at)) at = /^(0|[1-9]\d{0,8})$/.test(name) ? at[Number(name)] : undefined
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, name))
      at = (at as Record<string, unknown>)[name]
    else return undefined
  }
  return at
}

/** Takes out the member of a group that `pointer` points at, if there is one. What stands in a list, or is the whole document, stays. */
export function removeAt(document: unknown, pointer: string): void {
  const cut = pointer.lastIndexOf('/')
  const holder = cut < 0 ? undefined : valueAt(document, pointer.slice(0, cut))
  if (typeof holder !== 'object' || holder === null || Array.isArray(holder)) return
  delete (holder as Record<string, unknown>)[decoded(pointer.slice(cut + 1))]
}

/** `name` as it stands inside of a pointer. */
export function coded(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1')
}

const decoded = (name: string) => name.replaceAll('~1', '/').replaceAll('~0', '~')
