// A ZIP of one table and the images that its rows name.

import type { ByteSource } from '#src/sources/byte-source.ts'
import { openCsv } from '#src/sources/csv/open-csv.ts'
import { detectFormat } from '#src/sources/detect-format.ts'
import type { RawTable } from '#src/sources/source.ts'
import { asRefusal, type Refuse, type SourceError } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { SourceOptions } from '#src/sources/source-options.ts'
import { openWorkbook } from '#src/sources/xlsx/open-workbook.ts'
import { archiveKind } from '#src/sources/zip/check-entries.ts'
import { type OpenZip, openZip, type ZipEntry } from '#src/sources/zip/open-zip.ts'
import { gatherImages, readWhole } from './gather-images.ts'
import { isPackage } from './is-package.ts'
import { listNames } from './list-names.ts'
import { type Sorted, sortEntries } from './sort-entries.ts'

/**
 * Reads the ZIP that is `opened`, which closes with the table. Its only table may be a CSV, read as a stream, or a
 * workbook, kept in memory: a ZIP inside a ZIP cannot be read from its end otherwise. Throws SourceError.
 */
export async function openArchive(
  opened: OpenZip,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  try {
    opened.check(archiveKind(limits))
    const sorted = sortEntries(opened.entries)
    const entry = onlyTable(opened.entries, sorted, refuse)
    const gathered = await gatherImages(opened, sorted.images, limits, refuse)
    const table = await openTable(opened, entry, options, limits, refuse)
    const notices = [...table.notices, ...gathered.notices, ...noticeOthers(sorted.others)]
    return { ...table, notices, images: gathered.images, close: opened.close }
  } catch (error) {
    opened.close()
    throw error
  }
}

function onlyTable(entries: ZipEntry[], sorted: Sorted<ZipEntry>, refuse: Refuse): ZipEntry {
  const names = (chosen: ZipEntry[]) => listNames(chosen.map((entry) => entry.fileName))
  const [first, second] = sorted.tables
  if (sorted.zips.length > 0) {
    const sentence = `The ZIP holds another one: ${names(sorted.zips)}. Pack the sheet and its images into one ZIP.`
    throw refuse('archive', sentence)
  }
  if (second) {
    const sentence = `The ZIP holds ${sorted.tables.length} tables: ${names(sorted.tables)}. Leave one in it, and send the others by themselves.`
    throw refuse('archive', sentence)
  }
  if (first) return first
  const has = (name: string) => entries.some((entry) => entry.fileName === name)
  if (has('mimetype') && has('content.xml')) {
    throw refuse('zip-not-workbook', 'The file is an OpenDocument file (.ods). Save it as .xlsx or CSV.')
  }
  throw refuse('zip-not-workbook', 'The ZIP holds no table. Put one .csv or .xlsx file into it, beside the images.')
}

async function openTable(
  zip: OpenZip,
  entry: ZipEntry,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const bytes = bytesOfEntry(zip, entry, refuse)
  if ((await detectFormat(bytes, refuse)) === 'csv') return openCsv(bytes, options, limits, refuse)
  if (entry.uncompressedSize > limits.nestedWorkbookBytes) {
    const sentence = `The workbook in the ZIP has ${entry.uncompressedSize} bytes; the limit is ${limits.nestedWorkbookBytes}. Save it as CSV.`
    throw refuse('limit', sentence)
  }
  const inner = await openZip(await readWhole(zip, entry, refuse), limits, refuse)
  if (isPackage(inner)) return openWorkbook(inner, options.sheet, limits, refuse)
  throw refuse('archive', 'The table in the ZIP is itself a ZIP and no workbook. Put one .csv or .xlsx file into it.')
}

function bytesOfEntry(zip: OpenZip, entry: ZipEntry, refuse: Refuse): ByteSource {
  const damaged = (error: unknown): SourceError =>
    asRefusal(error, refuse, 'damaged', 'The table in the ZIP is damaged. Pack the ZIP anew.')
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
