// Uuids that follow from a text: the same sandbox has the same ones every time.

import { hash } from 'node:crypto'

/** Version and variant bits are set, so that strict uuid readers accept it. Takes the first 16 of at least 16 bytes. */
export function uuidFrom(bytes: Buffer): string {
  const own = Buffer.from(bytes.subarray(0, 16))
  own[6] = (own.readUInt8(6) & 0x0f) | 0x40
  own[8] = (own.readUInt8(8) & 0x3f) | 0x80
  return own.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function uuidFor(text: string): string {
  return uuidFrom(hash('sha256', text, 'buffer'))
}
