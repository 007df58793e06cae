// The name of a certificate's file, without its ending.

import { createHash } from 'node:crypto'

/**
 * The id itself where it is letters, digits and hyphens, as ids of the service are shown to be. They come from the service's answers, too,
 * so anything else (a path, say) is replaced by its hash: still one name for each id. Pure.
 */
export function fileStem(id: string): string {
  if (/^[0-9a-z][0-9a-z-]{0,79}$/i.test(id)) return id
  return `id-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
