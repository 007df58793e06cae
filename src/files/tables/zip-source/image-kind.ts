// Detects complete images by their content. The name is not enough: web pages called photo.jpg and interrupted
// transfers are common. Pure.

import type { ImageKind } from '#src/files/tables/source.ts'

/** Returns the type of the image in `bytes` if it is complete up to its end marker; undefined otherwise. */
export function readImageKind(bytes: Buffer): ImageKind | undefined {
  if (isWholePng(bytes)) return 'png'
  if (isWholeJpeg(bytes)) return 'jpg'
  return undefined
}

const startOfImage = 0xd8
const endOfImage = 0xd9
const startOfScan = 0xda

/**
 * Walks over the segments by their lengths. Searching for the end marker in the last bytes would not work: cameras
 * append more data after it, and embed a thumbnail with its own end marker near the start.
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

/**
 * Returns the position of the marker that ends the scan. Inside a scan, a 0xff of the picture is followed by 0, and
 * restart markers are numbered; any other marker ends it.
 */
function skipScan(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from)
  while (at >= 0 && at + 1 < bytes.length) {
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && (next < 0xd0 || next > 0xd7)) return at
    at = bytes.indexOf(0xff, next === 0xff ? at + 1 : at + 2)
  }
  return bytes.length
}

const pngStart = Buffer.from('89504e470d0a1a0a', 'hex')
/** The number of bytes of a chunk in addition to its content: length, name and checksum. */
const chunkOverhead = 12

/**
 * Walks over the chunks to the end marker. Their checksums are not verified, because that of the ZIP has been: what is
 * in the ZIP is what was put into it.
 */
function isWholePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(pngStart)) return false
  let hasPixels = false
  for (let at = 8; at + chunkOverhead <= bytes.length; at += chunkOverhead + bytes.readUInt32BE(at)) {
    const name = bytes.toString('latin1', at + 4, at + 8)
    if (name === 'IDAT') hasPixels = true
    if (name === 'IEND') return hasPixels
  }
  return false
}
