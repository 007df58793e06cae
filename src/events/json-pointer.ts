// JSON Pointer, RFC 6901: the value that a text such as /user/id points at.

/**
 * The value at `pointer`, or undefined when nothing stands there. Only what the document itself has counts, never what every
 * object inherits. The pointer has been checked by the settings' schema.
 */
export function valueAt(document: unknown, pointer: string): unknown {
  if (pointer === '') return document
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

/** As valueAt, but a pointer with # in front counts from `body`, any other from `event`. */
export function valueIn(event: unknown, body: unknown, pointer: string): unknown {
  return pointer.startsWith('#') ? valueAt(body, pointer.slice(1)) : valueAt(event, pointer)
}

const decoded = (coded: string) => coded.replaceAll('~1', '/').replaceAll('~0', '~')
