// The files inside a workbook, each read as a stream straight from the ZIP. Nothing is ever unpacked to disk.

import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, open, type ZipFile, type ZipFileOptions } from 'yauzl'
import { asRefusal, type Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { checkEntries } from './check-entries.ts'

export interface ZipParts {
  /** Names compare without regard to case, as the format asks. */
  has(name: string): boolean
  /**
   * The bytes of a part, at most `most` of them. Throws SourceError when it is missing or longer, or when it is not what
   * the table of contents says.
   */
  read(name: string, most?: number): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

const damaged = 'The workbook is damaged or was cut off. Open it in a spreadsheet program and save it anew.'

/** Opens the ZIP at `path` and holds its table of contents against the limits. Throws SourceError. */
export async function openZipParts(path: string, limits: SourceLimits, refuse: Refuse): Promise<ZipParts> {
  const zip = await openZip(path).catch((error) => {
    throw asRefusal(error, refuse, 'damaged', damaged)
  })
  try {
    if (zip.entryCount > limits.zipEntries) {
      const sentence = `The workbook holds ${zip.entryCount} files; the limit is ${limits.zipEntries}. Send it without pictures.`
      throw refuse('limit', sentence)
    }
    // Typed as a boolean by mistake; before the first entry it is where the table of contents begins.
    const directoryStart = Number(zip.readEntryCursor)
    const entries = await listEntries(zip)
    const refusal = checkEntries(entries, directoryStart, limits)
    if (refusal) throw refuse(refusal.code, refusal.sentence)
    return partsOf(zip, entries, refuse)
  } catch (error) {
    zip.close()
    throw asRefusal(error, refuse, 'damaged', damaged)
  }
}

function partsOf(zip: ZipFile, entries: Entry[], refuse: Refuse): ZipParts {
  const byName = new Map(entries.map((entry) => [entry.fileName.toLowerCase(), entry]))
  return {
    has: (name) => byName.has(name.toLowerCase()),
    async *read(name, most = Number.POSITIVE_INFINITY) {
      const entry = byName.get(name.toLowerCase())
      if (!entry) throw refuse('damaged', damaged)
      if (entry.uncompressedSize > most) {
        throw refuse(
          'limit',
          `A list inside the workbook is longer than ${most} bytes, the limit. Copy the table into a new workbook.`,
        )
      }
      try {
        yield* inflate(zip, entry)
      } catch (error) {
        throw asRefusal(error, refuse, 'damaged', damaged)
      }
    },
    close: () => zip.close(),
  }
}

/** Stops at the first byte past the declared size; yauzl's own inflating would not check the sum either. */
async function* inflate(zip: ZipFile, entry: Entry): AsyncGenerator<Buffer, void, undefined> {
  const raw = await openRaw(zip, entry)
  const packed = entry.compressionMethod === 8
  const bytes: AsyncIterable<Buffer> = packed ? pipeline(raw, createInflateRaw({ chunkSize: 65_536 }), () => {}) : raw
  let size = 0
  let sum = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > entry.uncompressedSize) break
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (size !== entry.uncompressedSize || sum !== entry.crc32) throw new Error('size or sum differs')
}

function openZip(path: string): Promise<ZipFile> {
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: true }
  return new Promise((resolve, reject) => {
    open(path, options, (error, zip) => (error ? reject(error) : resolve(zip)))
  })
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entries.push(entry)
      zip.readEntry()
    })
    zip.on('end', () => resolve(entries))
    // Stays for the life of the ZIP: an error while closing would otherwise end the process.
    zip.on('error', reject)
    zip.readEntry()
  })
}

function openRaw(zip: ZipFile, entry: Entry): Promise<Readable> {
  const packed = entry.compressionMethod === 8
  const options: ZipFileOptions = { decompress: packed ? false : null, decrypt: null, start: null, end: null }
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, options, (error, stream) => (error ? reject(error) : resolve(stream)))
  })
}
