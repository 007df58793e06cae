// Builds ZIP archives by hand, including invalid ones.

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  name: string
  content: string | Buffer
  deflate?: boolean
  /** Its extra fields in the central directory. */
  extra?: Buffer
  /** Replaces fields of the member's headers with false values. */
  lies?: { size?: number; crc?: number; flags?: number; offset?: number; mode?: number; method?: number }
}

/** Returns the bytes of an archive with `members` in the given order. */
export function buildZip(members: ZipMember[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const content = Buffer.from(member.content)
    const data = member.deflate ? deflateRawSync(content) : content
    const name = Buffer.from(member.name)
    const fields = commonHeader(member, content, data, name.length)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, data])
    directory.push(centralDirectoryEntry(member, fields, name, offset))
    pieces.push(local)
    offset += local.length
  }
  const listing = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(members.length, 8)
  end.writeUInt16LE(members.length, 10)
  end.writeUInt32LE(listing.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...pieces, listing, end])
}

/** Returns the 26 bytes that local headers and the central directory have in common. */
function commonHeader(member: ZipMember, content: Buffer, data: Buffer, nameLength: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(member.lies?.flags ?? 0x800, 2)
  fields.writeUInt16LE(member.lies?.method ?? (member.deflate ? 8 : 0), 4)
  fields.writeUInt32LE(member.lies?.crc ?? crc32(content), 10)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(member.lies?.size ?? content.length, 18)
  fields.writeUInt16LE(nameLength, 22)
  return fields
}

function centralDirectoryEntry(member: ZipMember, fields: Buffer, name: Buffer, offset: number): Buffer {
  const extra = member.extra ?? Buffer.alloc(0)
  const own = Buffer.from(fields)
  own.writeUInt16LE(extra.length, 24)
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(((member.lies?.mode ?? 0) << 16) >>> 0, 6)
  tail.writeUInt32LE(member.lies?.offset ?? offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), own, tail, name, extra])
}
