// A ZIP, in a file or in memory: its table of contents, and the bytes of what it lists. Nothing is ever unpacked to disk.

import { pipeline, type Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromBuffer, open, type ZipFile, type ZipFileOptions } from 'yauzl'
import { asRefusal, type Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import { checkEntries, type Kind } from './check-entries.ts'
import { readEntryName } from './entry-name.ts'

/** What the table of contents says about one file. */
export type ZipEntry = Entry

export interface OpenZip {
  entries: ZipEntry[]
  /** Throws SourceError when the table of contents is not one of a ZIP of this kind. */
  check(kind: Kind): void
  /** The bytes of an entry. Throws when they are not what the table of contents says; the file's own error, not ours. */
  read(entry: ZipEntry): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

const damaged = 'The file is damaged or was cut off. Save or pack it anew and send it again.'

/** Opens the ZIP at the path `place`, or the one in its bytes, and lists what is in it. Throws SourceError. */
export async function openZip(place: string | Buffer, limits: SourceLimits, refuse: Refuse): Promise<OpenZip> {
  const zip = await openPlace(place).catch((error) => {
    throw asRefusal(error, refuse, 'damaged', damaged)
  })
  try {
    // Typed as a boolean by mistake; before the first entry it is where the table of contents begins.
    const directoryStart = Number(zip.readEntryCursor)
    holdAgainstLimits(zip, directoryStart, limits, refuse)
    const entries = await listEntries(zip)
    return {
      entries,
      check(kind) {
        const refusal = checkEntries(entries, directoryStart, kind, limits)
        if (refusal) throw refuse(refusal.code, refusal.sentence)
      },
      read: (entry) => inflate(zip, entry),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw refuseListing(error, refuse)
  }
}

function holdAgainstLimits(zip: ZipFile, directoryStart: number, limits: SourceLimits, refuse: Refuse): void {
  const most = Math.max(limits.archiveEntries, limits.zipEntries)
  if (zip.entryCount > most) {
    throw refuse('limit', `The ZIP holds ${zip.entryCount} files; the limit is ${most}. Send it in parts.`)
  }
  if (zip.fileSize - directoryStart > limits.zipDirectoryBytes) {
    const sentence = `The ZIP's table of contents is longer than ${limits.zipDirectoryBytes} bytes, the limit. Send it in parts.`
    throw refuse('limit', sentence)
  }
}

// yauzl tells these apart in words only.
function refuseListing(error: unknown, refuse: Refuse) {
  const words = error instanceof Error ? error.message : ''
  if (/^(absolute path|invalid relative path)/.test(words)) {
    return refuse(
      'damaged',
      'The ZIP holds a file whose path leads out of it. Pack the sheet and its images into a new ZIP.',
    )
  }
  if (words.startsWith('strong encryption'))
    return refuse('archive', 'The ZIP is encrypted. Pack it without a password.')
  return asRefusal(error, refuse, 'damaged', damaged)
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

function openPlace(place: string | Buffer): Promise<ZipFile> {
  // Names may hold the backslashes of older Windows programs: they are made slashes first and then judged as paths.
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: false }
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile) => (error ? reject(error) : resolve(zip))
    if (typeof place === 'string') open(place, options, opened)
    else fromBuffer(place, options, opened)
  })
}

function listEntries(zip: ZipFile): Promise<Entry[]> {
  return new Promise((resolve, reject) => {
    const entries: Entry[] = []
    zip.on('entry', (entry: Entry) => {
      entry.fileName = readEntryName(entry)
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
