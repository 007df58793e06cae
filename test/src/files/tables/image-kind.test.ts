// Which bytes count as a complete image.

import { describe, expect, test } from 'vitest'
import { readImageKind } from '#src/files/tables/zip-source/image-kind.ts'
import { jpegImage, jpegSegment, pngChunk, pngImage } from '#test/support/images.ts'

const thumbnail = jpegImage()

describe('an image', () => {
  test.each<[string, Buffer, string]>([
    ['a PNG', pngImage(), 'png'],
    ['a PNG with data after its end', Buffer.concat([pngImage(), Buffer.from('more')]), 'png'],
    ['a JPEG', jpegImage(), 'jpg'],
    ['a JPEG with an embedded thumbnail', jpegImage(thumbnail), 'jpg'],
    ['a JPEG with data that a camera appended', Buffer.concat([jpegImage(), Buffer.alloc(99, 1)]), 'jpg'],
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
  ])('is recognized by its content: %s', (_, bytes, kind) => {
    expect(readImageKind(bytes)).toBe(kind)
  })
})

describe('an incomplete image', () => {
  test.each<[string, Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['a web page', Buffer.from('<!doctype html><p>404</p>')],
    ['a PNG’s first eight bytes', pngImage().subarray(0, 8)],
    ['a PNG whose end is missing', pngImage().subarray(0, -12)],
    ['a PNG with a chunk longer than the rest', pngImage(3).subarray(0, 1_500)],
    ['a PNG without pixels', pngWithoutPixels()],
    ['a JPEG whose end is missing', jpegImage().subarray(0, -2)],
    ['a JPEG that ends after its thumbnail', jpegImage(thumbnail).subarray(0, -8)],
    ['a JPEG’s first byte', jpegImage().subarray(0, 1)],
    ['a JPEG without a scan', Buffer.from('ffd8ffd9', 'hex')],
    ['a JPEG with a segment of length 0', Buffer.from('ffd8ffe00000ffd9', 'hex')],
    ['a GIF', Buffer.from('GIF89a;')],
  ])('is refused: %s', (_, bytes) => {
    expect(readImageKind(bytes)).toBeUndefined()
  })
})

/** Makes a PNG without the chunk of its pixels. */
function pngWithoutPixels(): Buffer {
  const end = pngChunk('IEND', Buffer.alloc(0))
  return Buffer.concat([pngImage().subarray(0, 33), end])
}
