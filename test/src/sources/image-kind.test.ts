// What counts as a whole image.

import { deflateSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readImageKind } from '#src/sources/archive/image-kind.ts'
import { jpegImage, jpegSegment, pngChunk, pngImage } from '#test/support/images.ts'

const thumbnail = jpegImage()

describe('an image', () => {
  test.each<[string, Buffer, string]>([
    ['a PNG', pngImage(), 'png'],
    ['a PNG with something behind its end', Buffer.concat([pngImage(), Buffer.from('more')]), 'png'],
    ['a JPEG', jpegImage(), 'jpg'],
    ['a JPEG with a small copy of itself in front', jpegImage(thumbnail), 'jpg'],
    ['a JPEG with what cameras write behind its end', Buffer.concat([jpegImage(), Buffer.alloc(99, 1)]), 'jpg'],
    [
      'a JPEG in two scans',
      Buffer.concat([
        jpegImage().subarray(0, -2),
        jpegSegment(0xc4, Buffer.from([0])),
        jpegSegment(0xda, Buffer.from([1])),
        Buffer.from([0x77, 0xff, 0xd9]),
      ]),
      'jpg',
    ],
    ['a PNG of many colours', pngOf(deflateSync(Buffer.alloc(40 * 121)), 40, 2), 'png'],
  ])('is known by its content: %s', (_, bytes, kind) => {
    expect(readImageKind(bytes)).toBe(kind)
  })
})

describe('what is not a whole image', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a web page', Buffer.from('<!doctype html><p>404</p>')],
    ['a PNG’s first eight bytes', pngImage().subarray(0, 8)],
    ['a PNG whose end is missing', pngImage().subarray(0, -12)],
    ['a PNG with a chunk longer than the rest', pngImage(3).subarray(0, 1_500)],
    ['a PNG with one bit of its picture changed', changed(pngImage(), 0x2b)],
    ['a PNG whose picture is not packed, with the right sum', pngOf(Buffer.alloc(12))],
    ['a PNG whose picture is too short for its size', pngOf(deflateSync(Buffer.from([0])))],
    ['a PNG without a picture', pngOf(null)],
    ['a PNG of no width', pngOf(deflateSync(Buffer.from([0, 128])), 0)],
    ['a JPEG whose end is missing', jpegImage().subarray(0, -2)],
    ['a JPEG cut behind the small copy in its front', jpegImage(thumbnail).subarray(0, -8)],
    ['a JPEG’s first byte', jpegImage().subarray(0, 1)],
    ['a JPEG without a picture', Buffer.from('ffd8ffd9', 'hex')],
    ['a JPEG with a segment of no length', Buffer.from('ffd8ffe00000ffd9', 'hex')],
    ['a GIF', Buffer.from('GIF89a;')],
  ])('is refused: %s', (_, bytes) => {
    expect(readImageKind(bytes)).toBeUndefined()
  })
})

function changed(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] as number) ^ 1
  return copy
}

/** A square PNG of these packed pixels, each chunk with its right sum. */
function pngOf(pixels: Buffer | null, side = 1, colours = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, colours], 8)
  const chunks = [
    pngChunk('IHDR', header),
    ...(pixels ? [pngChunk('IDAT', pixels)] : []),
    pngChunk('IEND', Buffer.alloc(0)),
  ]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...chunks])
}
