// Checks a declared encoding against the file itself. Most single-byte encodings can decode any bytes, so a wrong
// declaration would otherwise silently change every name. Pure.

import { byNulParity, byOrderMark } from './visible-encoding.ts'

const singleByte = /^(windows-(125\d|874)|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/

/**
 * Returns the declared encoding in TextDecoder's spelling; undefined if it is unknown. For a bare `utf-16`, the byte
 * order mark decides the byte order.
 */
export function readLabel(declared: string, head: Buffer): string | undefined {
  try {
    const label = new TextDecoder(declared).encoding
    const isOrderUnstated = /^\s*(utf-?16|unicode|ucs-2)\s*$/i.test(declared)
    return isOrderUnstated && (byOrderMark(head) ?? byNulParity(head)) === 'utf-16be' ? 'utf-16be' : label
  } catch {
    return undefined
  }
}

/**
 * Returns true if the first bytes rule out `encoding`: they have the byte order mark of another encoding or the NULs of
 * UTF-16, or lack the NULs that `encoding` requires.
 */
export function contradictsHead(encoding: string, head: Buffer): boolean {
  const visible = byOrderMark(head) ?? byNulParity(head)
  if (visible !== undefined) return visible !== encoding
  // In UTF-16, separators and line ends contain a NUL; the first 64 kB of a table have some.
  return encoding.startsWith('utf-16') && !head.includes(0)
}

/**
 * Returns true if UTF-8 could be decoded as `encoding` without errors, so that a wrong declaration would go unnoticed.
 */
export function decodesAnyBytes(encoding: string): boolean {
  return singleByte.test(encoding)
}
