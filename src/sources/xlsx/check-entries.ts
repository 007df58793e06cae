// Decides from a ZIP's table of contents whether its files may be opened at all.

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

const localHeaderBytes = 30
const readable = new Set([0, 8])
const anew = 'Open it in a spreadsheet program and save it anew.'

/**
 * Gives the first reason to refuse the ZIP whose entries are `entries` and whose table of contents begins at byte
 * `directoryStart`; undefined when there is none.
 */
export function checkEntries(
  entries: ListedEntry[],
  directoryStart: number,
  limits: SourceLimits,
): Refusal | undefined {
  return checkEach(entries) ?? checkSizes(entries, limits) ?? checkPlaces(entries, directoryStart)
}

function checkEach(entries: ListedEntry[]): Refusal | undefined {
  const names = new Set<string>()
  for (const entry of entries) {
    // The parts of a workbook are found without regard to case, so names that differ only in case are the same name.
    const name = entry.fileName.toLowerCase()
    if (names.has(name)) return { code: 'damaged', sentence: `The workbook holds two files of the same name. ${anew}` }
    names.add(name)
    if ((entry.generalPurposeBitFlag & 0x1) !== 0) {
      return { code: 'old-or-protected-workbook', sentence: 'The workbook is encrypted. Save it without a password.' }
    }
    if (((entry.externalFileAttributes >>> 16) & 0xf000) === 0xa000) {
      return { code: 'damaged', sentence: `The workbook holds a link to another file. ${anew}` }
    }
    if (!readable.has(entry.compressionMethod)) {
      return { code: 'damaged', sentence: `The workbook is packed in an unusual way. ${anew}` }
    }
    if (name.endsWith('vbaproject.bin')) return macros
  }
  return undefined
}

export const macros: Refusal = {
  code: 'macros',
  sentence: 'The workbook holds macros. Save it as .xlsx, which has none.',
}

function checkSizes(entries: ListedEntry[], limits: SourceLimits): Refusal | undefined {
  let inflated = 0
  let packed = 0
  for (const entry of entries) {
    inflated += entry.uncompressedSize
    packed += entry.compressedSize
    if (isBomb(entry.uncompressedSize, entry.compressedSize, limits)) return tooDense(limits)
  }
  if (inflated > limits.inflatedBytes) {
    const sentence = `The workbook unpacks to ${inflated} bytes; the limit is ${limits.inflatedBytes}. Send it as CSV or in parts.`
    return { code: 'limit', sentence }
  }
  return isBomb(inflated, packed, limits) ? tooDense(limits) : undefined
}

function isBomb(inflated: number, packed: number, limits: SourceLimits): boolean {
  return inflated > limits.ratioFromBytes && inflated > packed * limits.inflateRatio
}

function tooDense(limits: SourceLimits): Refusal {
  const sentence = `The workbook unpacks to more than ${limits.inflateRatio} times its size, the limit. Send it as CSV.`
  return { code: 'limit', sentence }
}

// 66 KB whose entries share the same bytes can inflate to 10 GB, and yauzl does not look.
function checkPlaces(entries: ListedEntry[], directoryStart: number): Refusal | undefined {
  const ordered = entries.toSorted((a, b) => a.relativeOffsetOfLocalHeader - b.relativeOffsetOfLocalHeader)
  for (const [index, entry] of ordered.entries()) {
    const end = entry.relativeOffsetOfLocalHeader + localHeaderBytes + entry.fileNameLength + entry.compressedSize
    const next = ordered[index + 1]?.relativeOffsetOfLocalHeader ?? directoryStart
    if (end > next) return { code: 'damaged', sentence: `The files inside the workbook overlap. ${anew}` }
  }
  return undefined
}
