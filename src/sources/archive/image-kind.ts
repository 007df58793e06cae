// Tells by its content whether bytes are a whole image. Its name says nothing: a web page called photo.jpg is common, and
// so is a transfer that broke off.

import type { ImageKind } from '#src/sources/source.ts'
import { isWholePng } from './png.ts'

/** The kind of image that `bytes` are from the first byte to the mark of the end; undefined when they are not. */
export function readImageKind(bytes: Buffer): ImageKind | undefined {
  if (isWholePng(bytes)) return 'png'
  if (isWholeJpeg(bytes)) return 'jpg'
  return undefined
}

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * Walks over the segments, each with its length. Looking for the end mark in the last bytes would not do: cameras write
 * more behind it, and a small copy of the picture with an end of its own into the front.
 */
function isWholeJpeg(bytes: Buffer): boolean {
  if (bytes[0] !== 0xff || bytes[1] !== startOfImage) return false
  let at = 2
  let scanned = false
  while (at + 4 <= bytes.length || (bytes[at] === 0xff && bytes[at + 1] === endOfImage)) {
    if (bytes[at] !== 0xff) return false
    const marker = bytes[at + 1] as number
    if (marker === endOfImage) return scanned
    if (marker === 0xff) {
      at++
      continue
    }
    const length = bytes.readUInt16BE(at + 2)
    if (length < 2) return false
    at += 2 + length
    if (marker !== startOfScan) continue
    scanned = true
    at = skipScan(bytes, at)
  }
  return false
}

/** Inside a scan a 0xff of the picture is followed by 0, and restart marks are numbered; the next other mark ends it. */
function skipScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2)
  }
  return bytes.length
}
