// Opens a file that is a ZIP: a workbook, or one table and the images that its rows name.

import type { ByteSource } from '#src/files/tables/byte-source.ts'
import { openCsv } from '#src/files/tables/csv/open-csv.ts'
import { detectFormat } from '#src/files/tables/detect-format.ts'
import type { RawTable, SourceOptions } from '#src/files/tables/source.ts'
import { type Refuse, type SourceError, toRefusal } from '#src/files/tables/source-error.ts'
import type { OpenFile } from '#src/files/tables/source-file.ts'
import type { TableReading } from '#src/files/tables/source-limits.ts'
import { openWorkbook } from '#src/files/tables/xlsx/open-workbook.ts'
import { type OpenZip, openZip, type ZipEntry } from '#src/files/tables/zip/open-zip.ts'
import { gatherImages, listNames, readEntry } from './gather-images.ts'
import { type SortedEntries, sortEntries } from './sort-entries.ts'

/** Opens the ZIP in an open file. @throws SourceError */
export async function openZippedTable(
  file: OpenFile,
  options: SourceOptions,
  reading: TableReading,
): Promise<RawTable> {
  const zip = await openZip(file, reading)
  return zip.isWorkbook ? openWorkbook(zip, options.sheet, reading) : openTableZip(zip, options, reading)
}

/**
 * Reads `zip`, which is closed together with the table. The table may be a CSV, which is streamed, or a workbook, which
 * is kept in memory: a workbook is itself a ZIP and is read from its end, but entries of a ZIP can only be streamed.
 * @throws SourceError
 */
async function openTableZip(zip: OpenZip, options: SourceOptions, reading: TableReading): Promise<RawTable> {
  const { refuse } = reading
  try {
    const sorted = sortEntries(zip.entries)
    const entry = findOnlyTable(sorted, refuse)
    const gathered = await gatherImages(zip, sorted.images, reading)
    const table = await openTable(zip, entry, options, reading)
    const notices = [...table.notices, ...gathered.notices, ...noticeOthers(sorted.others)]
    return { ...table, notices, images: gathered.images, close: zip.close }
  } catch (error) {
    zip.close()
    throw error
  }
}

function findOnlyTable(sorted: SortedEntries, refuse: Refuse): ZipEntry {
  const names = (chosen: ZipEntry[]) => listNames(chosen.map((entry) => entry.fileName))
  const [first, second] = sorted.tables
  if (sorted.zips.length > 0) {
    const sentence = `The ZIP contains another ZIP: ${names(sorted.zips)}. Pack the sheet and its images into one ZIP.`
    throw refuse('archive', sentence)
  }
  if (second) {
    const sentence = `The ZIP contains ${sorted.tables.length} tables: ${names(sorted.tables)}. Leave one table in the ZIP, and send the others separately.`
    throw refuse('archive', sentence)
  }
  if (first) return first
  throw refuse('zip-not-workbook', 'The ZIP contains no table. Put one .csv or .xlsx file into it, next to the images.')
}

async function openTable(
  zip: OpenZip,
  entry: ZipEntry,
  options: SourceOptions,
  reading: TableReading,
): Promise<RawTable> {
  const { limits, refuse } = reading
  const bytes = bytesOfEntry(zip, entry, refuse)
  if ((await detectFormat(bytes, refuse)) === 'csv') return openCsv(bytes, options, reading)
  if (entry.uncompressedSize > limits.nestedWorkbookBytes) {
    const sentence = `The workbook in the ZIP has ${entry.uncompressedSize} bytes; the limit is ${limits.nestedWorkbookBytes}. Save it as CSV.`
    throw refuse('limit', sentence)
  }
  const inner = await openZip(await readEntry(zip, entry, refuse), reading)
  if (inner.isWorkbook) return openWorkbook(inner, options.sheet, reading)
  throw refuse(
    'archive',
    'The table in the ZIP is itself a ZIP and not a workbook. Put one .csv or .xlsx file into the outer ZIP.',
  )
}

function bytesOfEntry(zip: OpenZip, entry: ZipEntry, refuse: Refuse): ByteSource {
  const damaged = (error: unknown): SourceError =>
    toRefusal(error, refuse, 'damaged', 'The table in the ZIP is damaged. Pack the ZIP again.')
  const stream = async function* () {
    try {
      yield* zip.read(entry)
    } catch (error) {
      throw damaged(error)
    }
  }
  return {
    stream,
    async head(length) {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of stream()) {
        chunks.push(chunk)
        size += chunk.length
        if (size >= length) break
      }
      return Buffer.concat(chunks).subarray(0, length)
    },
  }
}

function noticeOthers(others: ZipEntry[]): string[] {
  if (others.length === 0) return []
  const are = others.length === 1 ? '1 other file in the ZIP was' : `${others.length} other files in the ZIP were`
  return [`${are} not read: ${listNames(others.map((entry) => entry.fileName))}.`]
}
