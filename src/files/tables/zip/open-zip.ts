// Opens a ZIP, in a file or in memory, lists its entries and streams their bytes. Writes nothing to disk.

import { read } from 'node:fs'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import {
  type Entry,
  fromBuffer,
  fromRandomAccessReader,
  RandomAccessReader,
  type ZipFile,
  type ZipFileOptions,
} from 'yauzl'
import { type Refuse, toRefusal } from '#src/files/tables/source-error.ts'
import { bytesFrom, type OpenFile } from '#src/files/tables/source-file.ts'
import type { TableReading } from '#src/files/tables/source-limits.ts'
import { checkEntries } from './check-entries.ts'
import { readEntryName } from './entry-name.ts'
import { isOfficeDocument, refuseForeignDocument } from './foreign-document.ts'

/** One file in the table of contents. */
export type ZipEntry = Entry

export interface OpenZip {
  entries: ZipEntry[]
  /** Otherwise it is a container of files. */
  isWorkbook: boolean
  /**
   * Streams the bytes of an entry. Throws the ZIP's own error, not a SourceError, if they do not match the table of
   * contents.
   */
  read(entry: ZipEntry): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

const damaged = 'The file is damaged or was cut off. Save, copy or pack it again and resend it.'

/**
 * Opens a ZIP, lists its entries and checks them. The ZIP is an open file, which stays open, or its bytes.
 * @throws SourceError, also if it is a document of another kind
 */
export async function openZip(input: OpenFile | Buffer, reading: TableReading): Promise<OpenZip> {
  const { refuse } = reading
  const zip = await openZipFile(input).catch((error) => {
    throw toRefusal(error, refuse, 'damaged', damaged)
  })
  try {
    // The types say boolean by mistake: before the first entry is read, this is the position of the table of contents.
    const directoryStart = Number(zip.readEntryCursor)
    checkLimits(zip, directoryStart, reading)
    const entries = await listEntries(zip)
    refuseForeignDocument(entries, refuse)
    const isWorkbook = isOfficeDocument(entries)
    checkEntries(entries, directoryStart, isWorkbook, reading)
    return {
      entries,
      isWorkbook,
      read: (entry) => inflate(zip, entry),
      close: () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw refuseListing(error, refuse)
  }
}

function checkLimits(zip: ZipFile, directoryStart: number, { limits, refuse }: TableReading): void {
  const maxEntries = Math.max(limits.archiveEntries, limits.zipEntries)
  if (zip.entryCount > maxEntries) {
    throw refuse(
      'limit',
      `The ZIP contains ${zip.entryCount} files; the limit is ${maxEntries}. Split it into smaller files.`,
    )
  }
  if (zip.fileSize - directoryStart > limits.zipDirectoryBytes) {
    const sentence = `The ZIP's table of contents is longer than the limit of ${limits.zipDirectoryBytes} bytes. Split it into smaller files.`
    throw refuse('limit', sentence)
  }
}

// yauzl distinguishes these errors only by their messages.
function refuseListing(error: unknown, refuse: Refuse) {
  const words = error instanceof Error ? error.message : ''
  if (/^(absolute path|invalid relative path)/.test(words)) {
    return refuse(
      'damaged',
      'The ZIP contains a file whose path leads out of it. Pack the sheet and its images into a new ZIP.',
    )
  }
  if (words.startsWith('strong encryption'))
    return refuse('archive', 'The ZIP is encrypted. Pack it without a password.')
  return toRefusal(error, refuse, 'damaged', damaged)
}

/**
 * Inflates an entry, stops at the first byte beyond the declared size, and verifies the checksum, which yauzl does not.
 */
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

function openZipFile(input: OpenFile | Buffer): Promise<ZipFile> {
  // Older Windows programs write backslashes in names. These are converted to slashes and then validated as paths.
  const options = { autoClose: false, lazyEntries: true, validateEntrySizes: true, strictFileNames: false }
  return new Promise((resolve, reject) => {
    const opened = (error: Error | null, zip: ZipFile) => (error ? reject(error) : resolve(zip))
    if (Buffer.isBuffer(input)) fromBuffer(input, options, opened)
    else fromRandomAccessReader(new DescriptorReader(input.descriptor), input.bytes, options, opened)
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
    // The handler stays until the ZIP is closed, because an unhandled error while closing would end the process.
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

/** Lets yauzl read through the descriptor of a file that the caller has opened and will close. */
class DescriptorReader extends RandomAccessReader {
  readonly #descriptor: number

  constructor(descriptor: number) {
    super()
    this.#descriptor = descriptor
  }

  override _readStreamForRange(start: number, end: number) {
    return Readable.from(bytesFrom(this.#descriptor, { start, end }), { objectMode: false })
  }

  override read(
    buffer: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    read(this.#descriptor, buffer, offset, length, position, (error, bytes) => {
      callback(error ?? (bytes === length ? null : new Error('the file is shorter than it was')))
    })
  }
}
