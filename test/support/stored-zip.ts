// Builds ZIP archives by hand, also ones that no proper program would write.

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipMember {
  name: string
  content: string | Buffer
  deflate?: boolean
  /** Replaces what the table of contents says about the member. */
  lies?: { size?: number; crc?: number; flags?: number; offset?: number; mode?: number; method?: number }
}

/** Gives the bytes of an archive with `members` in their order. */
export function buildZip(members: ZipMember[]): Buffer {
  const pieces: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const member of members) {
    const plain = Buffer.from(member.content)
    const data = member.deflate ? deflateRawSync(plain) : plain
    const name = Buffer.from(member.name)
    const fields = describe(member, plain, data, name.length)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, name, data])
    directory.push(listMember(member, fields, name, offset))
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

/** The 26 bytes that a local header and the table of contents have in common. */
function describe(member: ZipMember, plain: Buffer, data: Buffer, nameLength: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(20, 0)
  fields.writeUInt16LE(member.lies?.flags ?? 0x800, 2)
  fields.writeUInt16LE(member.lies?.method ?? (member.deflate ? 8 : 0), 4)
  fields.writeUInt32LE(member.lies?.crc ?? crc32(plain), 10)
  fields.writeUInt32LE(data.length, 14)
  fields.writeUInt32LE(member.lies?.size ?? plain.length, 18)
  fields.writeUInt16LE(nameLength, 22)
  return fields
}

function listMember(member: ZipMember, fields: Buffer, name: Buffer, offset: number): Buffer {
  const tail = Buffer.alloc(14)
  tail.writeUInt32LE(((member.lies?.mode ?? 0) << 16) >>> 0, 6)
  tail.writeUInt32LE(member.lies?.offset ?? offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, 3]), fields, tail, name])
}
