// Detects complete images by their content. The name is not enough: web pages called photo.jpg and interrupted
// transfers are common. Pure.

import { crc32, inflateSync } from 'node:zlib'
import type { ImageKind } from '#src/files/tables/source.ts'

/** Returns the type of the image in `bytes` if it is complete up to its end marker; undefined otherwise. */
export function readImageKind(bytes: Buffer): ImageKind | undefined {
  if (isCompletePng(bytes)) return 'png'
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

// Checks that bytes are a complete PNG: that all chunks are there, that the checksum of each chunk that affects the
// picture is right, and that there are enough pixels for the declared size. Pure.

const magic = Buffer.from('89504e470d0a1a0a', 'hex')
/** The number of bytes of a chunk in addition to its content: length, name and checksum. */
const chunkOverhead = 12
// The pixels are unpacked in memory up to this size; for a larger image only the checksums are verified.
const maxUnpackedBytes = 32 * 1024 * 1024
const samplesByColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

function isCompletePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(magic)) return false
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return false
  const pixels: Buffer[] = []
  for (let at = 8; at + chunkOverhead <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + chunkOverhead + length
    if (end > bytes.length) return false
    const name = bytes.toString('latin1', at + 4, at + 8)
    // A lowercase first letter marks a chunk that is not needed to draw the image. Programs that add such chunks often
    // write a wrong checksum.
    const isCritical = /^[A-Z]/.test(name)
    if (isCritical && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false
    if (name === 'IDAT') pixels.push(bytes.subarray(at + 8, end - 4))
    if (name === 'IEND') return pixels.length > 0 && hasEnoughPixels(pixels, unpackedBytes(bytes.subarray(16, 29)))
    at = end
  }
  return false
}

/**
 * Returns the number of bytes of the unpacked pixels, which have one additional byte per line; null if the header is
 * invalid.
 */
function unpackedBytes(header: Buffer): number | null {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const samples = samplesByColorType[header[9] as number]
  if (width === 0 || height === 0 || samples === undefined) return null
  return height * (Math.ceil((width * samples * (header[8] as number)) / 8) + 1)
}

function hasEnoughPixels(pixels: readonly Buffer[], expected: number | null): boolean {
  if (expected === null) return false
  if (expected > maxUnpackedBytes) return true
  try {
    // Interlaced images have more lines than they show. Decoders ignore data after the last line.
    const unpacked = inflateSync(Buffer.concat(pixels), { maxOutputLength: 2 * expected + 64 * 1024 })
    return unpacked.length >= expected
  } catch {
    return false
  }
}
