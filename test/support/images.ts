// The smallest valid images, for tests that check the start and end of a file.

import { crc32, deflateSync } from 'node:zlib'

/** Returns a PNG chunk: its length, name, content and checksum. */
export function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** Returns a gray square with `comments` comment chunks of 1,000 bytes each. */
export function pngImage(comments = 0): Buffer {
  const header = Buffer.from('00000001000000010800000000', 'hex')
  const commentChunks = Array.from({ length: comments }, () => pngChunk('tEXt', Buffer.alloc(1_000, 'x')))
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    pngChunk('IHDR', header),
    ...commentChunks,
    pngChunk('IDAT', deflateSync(Buffer.from([0, 128]))),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

/** Returns a JPEG segment: its marker, length and content. */
export function jpegSegment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** Returns a minimal JPEG: one segment, one scan with a stuffed byte and a restart marker, and the end marker. */
export function jpegImage(front: Buffer = Buffer.from('JFIF\0')): Buffer {
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    jpegSegment(0xe0, front),
    jpegSegment(0xda, Buffer.from([1, 1, 0])),
    Buffer.from([0x12, 0xff, 0x00, 0x34, 0xff, 0xd0, 0x56]),
    Buffer.from([0xff, 0xd9]),
  ])
}
