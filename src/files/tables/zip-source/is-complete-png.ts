// Checks that bytes are a complete PNG: that all chunks are there, that the checksum of each chunk that affects the
// picture is right, and that there are enough pixels for the declared size. Pure.

import { crc32, inflateSync } from 'node:zlib'

const magic = Buffer.from('89504e470d0a1a0a', 'hex')
/** The number of bytes of a chunk in addition to its content: length, name and checksum. */
const chunkOverhead = 12
// The pixels are unpacked in memory up to this size; for a larger image only the checksums are verified.
const maxUnpackedBytes = 32 * 1024 * 1024
const samplesByColorType: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

export function isCompletePng(bytes: Buffer): boolean {
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
