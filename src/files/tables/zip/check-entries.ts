// Decides from a ZIP's table of contents whether its files may be opened. Used for workbooks and for ZIPs with images.
// Pure.

import type { Entry } from 'yauzl'
import type { SourceErrorCode } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'

export type ListedEntry = Pick<
  Entry,
  | 'fileName'
  | 'fileNameLength'
  | 'compressedSize'
  | 'uncompressedSize'
  | 'compressionMethod'
  | 'generalPurposeBitFlag'
  | 'externalFileAttributes'
  | 'relativeOffsetOfLocalHeader'
>

export interface ZipRefusal {
  code: SourceErrorCode
  sentence: string
}

/** How a ZIP of this kind is limited, and described to the sender. */
export interface ZipKind {
  name: 'workbook' | 'ZIP'
  /** The value of `limits.zipEntries` or `limits.archiveEntries`. */
  entries: number
  encrypted: ZipRefusal
  /** Advice for a ZIP that no ordinary program writes. */
  advice: string
}

const localHeaderBytes = 30
const readableMethods = new Set([0, 8])

export function workbookKind(limits: SourceLimits): ZipKind {
  return {
    name: 'workbook',
    entries: limits.zipEntries,
    encrypted: {
      code: 'old-or-protected-workbook',
      sentence: 'The workbook is encrypted. Save it without a password.',
    },
    advice: 'Open it in a spreadsheet program and save it again.',
  }
}

export function tableZipKind(limits: SourceLimits): ZipKind {
  return {
    name: 'ZIP',
    entries: limits.archiveEntries,
    encrypted: { code: 'archive', sentence: 'The ZIP is encrypted. Pack it without a password.' },
    advice: 'Pack the sheet and its images into a new ZIP.',
  }
}

/**
 * Returns the first reason to refuse the ZIP with these `entries`, whose table of contents begins at byte
 * `directoryStart`; undefined if there is none.
 */
export function checkEntries(
  entries: ListedEntry[],
  directoryStart: number,
  kind: ZipKind,
  limits: SourceLimits,
): ZipRefusal | undefined {
  if (entries.length > kind.entries) {
    const sentence = `The ${kind.name} contains ${entries.length} files; the limit is ${kind.entries}. Remove the pictures, or split it into smaller files.`
    return { code: 'limit', sentence }
  }
  return checkEach(entries, kind) ?? checkSizes(entries, kind, limits) ?? checkOverlaps(entries, directoryStart, kind)
}

function checkEach(entries: ListedEntry[], { name: what, encrypted, advice }: ZipKind): ZipRefusal | undefined {
  const names = new Set<string>()
  for (const entry of entries) {
    const name = foldName(entry.fileName)
    if (names.has(name))
      return { code: 'damaged', sentence: `The ${what} contains two files of the same name. ${advice}` }
    names.add(name)
    if ((entry.generalPurposeBitFlag & 0x1) !== 0) return encrypted
    if (((entry.externalFileAttributes >>> 16) & 0xf000) === 0xa000) {
      return { code: 'damaged', sentence: `The ${what} contains a link to another file. ${advice}` }
    }
    if (!readableMethods.has(entry.compressionMethod)) {
      return { code: 'damaged', sentence: `The ${what} is packed in an unusual way. ${advice}` }
    }
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

function checkSizes(entries: ListedEntry[], { name: what }: ZipKind, limits: SourceLimits): ZipRefusal | undefined {
  let inflated = 0
  let packed = 0
  const tooDense: ZipRefusal = {
    code: 'limit',
    sentence: `The ${what} unpacks to more than ${limits.inflateRatio} times its size, which is the limit. Send the table as CSV.`,
  }
  for (const entry of entries) {
    inflated += entry.uncompressedSize
    packed += entry.compressedSize
    if (isBomb(entry.uncompressedSize, entry.compressedSize, limits)) return tooDense
  }
  if (inflated > limits.inflatedBytes) {
    const sentence = `The ${what} unpacks to ${inflated} bytes; the limit is ${limits.inflatedBytes}. Split it into smaller files, or send the table as CSV.`
    return { code: 'limit', sentence }
  }
  return isBomb(inflated, packed, limits) ? tooDense : undefined
}

function isBomb(inflated: number, packed: number, limits: SourceLimits): boolean {
  return inflated > limits.ratioFromBytes && inflated > packed * limits.inflateRatio
}

// Refuses entries that overlap: a ZIP of 66 KB whose entries share the same bytes can inflate to 10 GB, and yauzl does
// not check that.
function checkOverlaps(
  entries: ListedEntry[],
  directoryStart: number,
  { name: what, advice }: ZipKind,
): ZipRefusal | undefined {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  for (const [index, entry] of ordered.entries()) {
    const end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize
    const next = ordered[index + 1]?.relativeOffsetOfLocalHeader ?? directoryStart
    if (end > next) return { code: 'damaged', sentence: `The files inside the ${what} overlap. ${advice}` }
  }
  return undefined
}
