// Unpacks a sample ZIP, so that its content can be damaged and packed again with correct checksums.

import { inflateRawSync } from 'node:zlib'
import type { ZipMember } from '#test/support/build-zip.ts'

/** Returns the members of a ZIP; undefined if the bytes are not a ZIP or are inconsistent. */
export function unpack(bytes: Buffer): ZipMember[] | undefined {
  const end = bytes.lastIndexOf('PK\x05\x06', undefined, 'latin1')
  if (end < 0 || bytes.indexOf('PK\x03\x04', 0, 'latin1') !== 0) return undefined
  const members: ZipMember[] = []
  try {
    let at = bytes.readUInt32LE(end + 16)
    for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
      const lengths = [28, 30, 32].map((place) => bytes.readUInt16LE(at + place)) as [number, number, number]
      const name = bytes.toString('utf8', at + 46, at + 46 + lengths[0])
      const start = bytes.readUInt32LE(at + 42)
      const from = start + 30 + bytes.readUInt16LE(start + 26) + bytes.readUInt16LE(start + 28)
      const data = bytes.subarray(from, from + bytes.readUInt32LE(at + 20))
      const deflate = bytes.readUInt16LE(at + 10) === 8
      members.push({ name, content: deflate ? inflateRawSync(data, { maxOutputLength: 4_000_000 }) : data, deflate })
      at += 46 + lengths[0] + lengths[1] + lengths[2]
    }
    return members
  } catch {
    return undefined
  }
}
