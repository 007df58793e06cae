// Derives uuids from a text, so that the same sandbox always has the same uuids. Pure.

import { hash } from 'node:crypto'

/** Sets version and variant bits, so that strict uuid parsers accept it. Uses the first 16 of at least 16 bytes. */
export function uuidFrom(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16))
  own[6] = (own.readUInt8(6) & 0x0f) | 0x40
  own[8] = (own.readUInt8(8) & 0x3f) | 0x80
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function uuidFor(text: string): string {
  return uuidFrom(hash('sha256', text, 'buffer'))
}
