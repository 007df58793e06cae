// Whether bytes are a whole PNG: its chunks to the end, the sum of each that is drawn, and pixels for the size that it says.

import { crc32, inflateSync } from 'node:zlib'

const magic = Buffer.from('89504e470d0a1a0a', 'hex')
/** Beside its content a chunk has a length, a name and a sum. */
const around = 12
// The pixels are unpacked in memory: of an image above that only the sums are held against its content.
const mostUnpacked = 32 * 1024 * 1024
const samplesOf: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 }

export function isWholePng(bytes: Buffer): boolean {
  if (!bytes.subarray(0, 8).equals(magic)) return false
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return false
  const pixels: Buffer[] = []
  for (let at = 8; at + around <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const end = at + around + length
    if (end > bytes.length) return false
    const name = bytes.toString('latin1', at + 4, at + 8)
    // A small letter in front says that one can draw the image without the chunk; programs that write notes get their sums wrong.
    const matters = /^[A-Z]/.test(name)
    if (matters && crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return false
    if (name === 'IDAT') pixels.push(bytes.subarray(at + 8, end - 4))
    if (name === 'IEND') return pixels.length > 0 && unpacks(pixels, unpackedBytes(bytes.subarray(16, 29)))
    at = end
  }
  return false
}

/** How many bytes the pixels have, one more for each line; null where the header makes no sense. */
function unpackedBytes(header: Buffer): number | null {
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const samples = samplesOf[header[9] as number]
  if (width === 0 || height === 0 || samples === undefined) return null
  return height * (Math.ceil((width * samples * (header[8] as number)) / 8) + 1)
}

function unpacks(pixels: readonly Buffer[], expected: number | null): boolean {
  if (expected === null) return false
  if (expected > mostUnpacked) return true
  try {
    // Interlaced images have some more lines than they show. Whoever draws an image leaves out what is beyond its last line.
    const unpacked = inflateSync(Buffer.concat(pixels), { maxOutputLength: 2 * expected + 64 * 1024 })
    return unpacked.length >= expected
  } catch {
    return false
  }
}
