// Decides from a ZIP's table of contents whether its files may be opened. Used for workbooks and for ZIPs with images.

import type { Entry } from 'yauzl'
import type { TableReading } from '#src/files/tables/source-limits.ts'

const localHeaderBytes = 30
const readableMethods = new Set([0, 8])

/**
 * @param directoryStart the byte at which the table of contents begins
 * @throws SourceError with the first reason to refuse the ZIP with these `entries`
 */
export function checkEntries(
  entries: readonly Entry[],
  directoryStart: number,
  isWorkbook: boolean,
  { limits, refuse }: TableReading,
): void {
  const what = isWorkbook ? 'workbook' : 'ZIP'
  const maxEntries = isWorkbook ? limits.zipEntries : limits.archiveEntries
  if (entries.length > maxEntries) {
    const sentence = `The ${what} contains ${entries.length} files; the limit is ${maxEntries}. Remove the pictures, or split it into smaller files.`
    throw refuse('limit', sentence)
  }
  if (entries.some((entry) => (entry.generalPurposeBitFlag & 0x1) !== 0))
    throw isWorkbook
      ? refuse('old-or-protected-workbook', 'The workbook is encrypted. Save it without a password.')
      : refuse('archive', 'The ZIP is encrypted. Pack it without a password.')
  const oddity = findOddity(entries) ?? (overlap(entries, directoryStart) ? 'contains files that overlap' : undefined)
  if (oddity !== undefined) {
    const advice = isWorkbook
      ? 'Open it in a spreadsheet program and save it again.'
      : 'Pack the sheet and its images into a new ZIP.'
    throw refuse('damaged', `The ${what} ${oddity}. ${advice}`)
  }
  checkSizes(entries, what, { limits, refuse })
}

/** Finds what no ordinary program writes. */
function findOddity(entries: readonly Entry[]): string | undefined {
  const names = new Set<string>()
  for (const entry of entries) {
    const name = foldName(entry.fileName)
    if (names.has(name)) return 'contains two files of the same name'
    names.add(name)
    if (((entry.externalFileAttributes >>> 16) & 0xf000) === 0xa000) return 'contains a link to another file'
    if (!readableMethods.has(entry.compressionMethod)) return 'is packed in an unusual way'
  }
  return undefined
}

/**
 * Makes names comparable. Folds case, because workbook parts are found regardless of case and people expect the same
 * for images, and composes accents, which macOS decomposes.
 */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function checkSizes(entries: readonly Entry[], what: string, { limits, refuse }: TableReading): void {
  const isBomb = (inflated: number, packed: number) =>
    inflated > limits.ratioFromBytes && inflated > packed * limits.inflateRatio
  const inflated = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0)
  const packed = entries.reduce((sum, entry) => sum + entry.compressedSize, 0)
  if (entries.some((entry) => isBomb(entry.uncompressedSize, entry.compressedSize)) || isBomb(inflated, packed)) {
    const sentence = `The ${what} unpacks to more than ${limits.inflateRatio} times its size, which is the limit. Send the table as CSV.`
    throw refuse('limit', sentence)
  }
  if (inflated > limits.inflatedBytes) {
    const sentence = `The ${what} unpacks to ${inflated} bytes; the limit is ${limits.inflatedBytes}. Split it into smaller files, or send the table as CSV.`
    throw refuse('limit', sentence)
  }
}

// A ZIP of 66 KB whose entries share the same bytes can inflate to 10 GB, and yauzl does not check that.
function overlap(entries: readonly Entry[], directoryStart: number): boolean {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  return ordered.some((entry, index) => {
    const end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize
    return end > (ordered[index + 1]?.relativeOffsetOfLocalHeader ?? directoryStart)
  })
}
