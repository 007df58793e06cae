// Holds an encoding that somebody declared against what the file itself shows. Most single-byte encodings can read any
// bytes at all, so a wrong declaration would otherwise turn every name into another one in silence.

import { byNulParity, byOrderMark } from './visible-encoding.ts'

const singleByte = /^(windows-(125\d|874)|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/

/** The label as TextDecoder gives it back; undefined when it is unknown. A bare `utf-16` leaves the order to the mark. */
export function readLabel(declared: string, head: Buffer): string | undefined {
  try {
    const label = new TextDecoder(declared).encoding
    const open = /^\s*(utf-?16|unicode|ucs-2)\s*$/i.test(declared)
    return open && (byOrderMark(head) ?? byNulParity(head)) === 'utf-16be' ? 'utf-16be' : label
  } catch {
    return undefined
  }
}

/** Whether the first bytes say that the file is not `encoding`: another mark, or NULs where it has none, or none at all. */
export function contradictsHead(encoding: string, head: Buffer): boolean {
  const visible = byOrderMark(head) ?? byNulParity(head)
  if (visible !== undefined) return visible !== encoding
  // Separators and line ends have a NUL each; the first 64 kB of a table hold some.
  return encoding.startsWith('utf-16') && !head.includes(0)
}

/** Whether reading UTF-8 as `encoding` would go unnoticed: then a file that is UTF-8 all through was declared wrongly. */
export function readsAnything(encoding: string): boolean {
  return singleByte.test(encoding)
}
