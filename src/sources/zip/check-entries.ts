// Decides from a ZIP's table of contents whether its files may be opened at all. Workbooks and ZIPs with images share it.

import type { Entry } from 'yauzl'
import type { SourceErrorCode } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'

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

export interface Refusal {
  code: SourceErrorCode
  sentence: string
}

/** What the ZIP is to the person who sent it, for the sentences. */
export interface Kind {
  name: 'workbook' | 'ZIP'
  /** The limit of `limits.zipEntries` or `limits.archiveEntries`. */
  entries: number
  encrypted: Refusal
  /** What to do about a ZIP that no ordinary program writes. */
  anew: string
}

const localHeaderBytes = 30
const readable = new Set([0, 8])

export function workbookKind(limits: SourceLimits): Kind {
  return {
    name: 'workbook',
    entries: limits.zipEntries,
    encrypted: {
      code: 'old-or-protected-workbook',
      sentence: 'The workbook is encrypted. Save it without a password.',
    },
    anew: 'Open it in a spreadsheet program and save it anew.',
  }
}

export function archiveKind(limits: SourceLimits): Kind {
  return {
    name: 'ZIP',
    entries: limits.archiveEntries,
    encrypted: { code: 'archive', sentence: 'The ZIP is encrypted. Pack it without a password.' },
    anew: 'Pack the sheet and its images into a new ZIP.',
  }
}

/**
 * Gives the first reason to refuse the ZIP whose entries are `entries` and whose table of contents begins at byte
 * `directoryStart`; undefined when there is none.
 */
export function checkEntries(
  entries: ListedEntry[],
  directoryStart: number,
  kind: Kind,
  limits: SourceLimits,
): Refusal | undefined {
  if (entries.length > kind.entries) {
    const sentence = `The ${kind.name} holds ${entries.length} files; the limit is ${kind.entries}. Send it without pictures, or in parts.`
    return { code: 'limit', sentence }
  }
  return checkEach(entries, kind) ?? checkSizes(entries, kind, limits) ?? checkPlaces(entries, directoryStart, kind)
}

function checkEach(entries: ListedEntry[], { name: what, encrypted, anew }: Kind): Refusal | undefined {
  const names = new Set<string>()
  for (const entry of entries) {
    const name = foldName(entry.fileName)
    if (names.has(name)) return { code: 'damaged', sentence: `The ${what} holds two files of the same name. ${anew}` }
    names.add(name)
    if ((entry.generalPurposeBitFlag & 0x1) !== 0) return encrypted
    if (((entry.externalFileAttributes >>> 16) & 0xf000) === 0xa000) {
      return { code: 'damaged', sentence: `The ${what} holds a link to another file. ${anew}` }
    }
    if (!readable.has(entry.compressionMethod)) {
      return { code: 'damaged', sentence: `The ${what} is packed in an unusual way. ${anew}` }
    }
  }
  return undefined
}

/** Parts of a workbook are found without regard to case, and so are images by people; macOS takes accents apart. */
export function foldName(name: string): string {
  return name.normalize('NFC').toLowerCase()
}

function checkSizes(entries: ListedEntry[], { name: what }: Kind, limits: SourceLimits): Refusal | undefined {
  let inflated = 0
  let packed = 0
  const tooDense: Refusal = {
    code: 'limit',
    sentence: `The ${what} unpacks to more than ${limits.inflateRatio} times its size, the limit. Send the table as CSV.`,
  }
  for (const entry of entries) {
    inflated += entry.uncompressedSize
    packed += entry.compressedSize
    if (isBomb(entry.uncompressedSize, entry.compressedSize, limits)) return tooDense
  }
  if (inflated > limits.inflatedBytes) {
    const sentence = `The ${what} unpacks to ${inflated} bytes; the limit is ${limits.inflatedBytes}. Send it in parts, or the table as CSV.`
    return { code: 'limit', sentence }
  }
  return isBomb(inflated, packed, limits) ? tooDense : undefined
}

function isBomb(inflated: number, packed: number, limits: SourceLimits): boolean {
  return inflated > limits.ratioFromBytes && inflated > packed * limits.inflateRatio
}

// 66 KB whose entries share the same bytes can inflate to 10 GB, and yauzl does not look.
function checkPlaces(entries: ListedEntry[], directoryStart: number, { name: what, anew }: Kind): Refusal | undefined {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  for (const [index, entry] of ordered.entries()) {
    const end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize
    const next = ordered[index + 1]?.relativeOffsetOfLocalHeader ?? directoryStart
    if (end > next) return { code: 'damaged', sentence: `The files inside the ${what} overlap. ${anew}` }
  }
  return undefined
}
