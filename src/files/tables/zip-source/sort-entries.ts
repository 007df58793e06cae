// Sorts the files inside a ZIP by the extensions of their names: tables, images, other ZIPs, and the rest. Pure.

import type { ImageKind } from '#src/files/tables/source.ts'
import type { ZipEntry } from '#src/files/tables/zip/open-zip.ts'

export interface SortedEntries {
  tables: ZipEntry[]
  images: { entry: ZipEntry; name: string; kind: ImageKind }[]
  zips: ZipEntry[]
  others: ZipEntry[]
}

const kindByExtension: Record<string, 'tables' | 'zips' | ImageKind> = {
  csv: 'tables',
  tsv: 'tables',
  xlsx: 'tables',
  // These are refused with their own messages when they are read. Ignoring them would look as if the table were
  // missing.
  xlsm: 'tables',
  xls: 'tables',
  zip: 'zips',
  jpg: 'jpg',
  jpeg: 'jpg',
  png: 'png',
}

// Files that programs leave in folders without people noticing: macOS metadata, hidden files, locks of open documents.
const hiddenFile = /(^|\/)(__MACOSX\/|\.|~\$|(Thumbs\.db|desktop\.ini)$)/i

export function sortEntries(entries: ZipEntry[]): SortedEntries {
  const sorted: SortedEntries = { tables: [], images: [], zips: [], others: [] }
  for (const entry of entries) {
    if (entry.fileName.endsWith('/') || hiddenFile.test(entry.fileName)) continue
    const name = baseName(entry.fileName)
    const dot = name.lastIndexOf('.')
    const kind = dot < 1 ? undefined : kindByExtension[name.slice(dot + 1).toLowerCase()]
    if (kind === undefined) sorted.others.push(entry)
    else if (kind === 'tables' || kind === 'zips') sorted[kind].push(entry)
    else sorted.images.push({ entry, name, kind })
  }
  return sorted
}

/**
 * Returns the name without its folders (separated by slashes or backslashes), composed to NFC like the cells that refer
 * to it.
 */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).normalize('NFC')
}
