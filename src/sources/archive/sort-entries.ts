// What the files inside a ZIP are, by their names: the table, images, and the rest.

import type { ImageKind } from '#src/sources/source.ts'
import type { ListedEntry } from '#src/sources/zip/check-entries.ts'

export interface Sorted<E> {
  tables: E[]
  images: { entry: E; name: string; kind: ImageKind }[]
  zips: E[]
  others: E[]
}

const endings: Record<string, 'tables' | 'zips' | ImageKind> = {
  csv: 'tables',
  tsv: 'tables',
  xlsx: 'tables',
  // Refused when they are read, each with its own sentence; among the others they would only be missing.
  xlsm: 'tables',
  xls: 'tables',
  zip: 'zips',
  jpg: 'jpg',
  jpeg: 'jpg',
  png: 'png',
}

// What programs leave behind in folders, and people do not see: shadows of macOS, hidden names, open documents' locks.
const leftBehind = /(^|\/)(__MACOSX\/|\.|~\$|(Thumbs\.db|desktop\.ini)$)/i

export function sortEntries<E extends Pick<ListedEntry, 'fileName'>>(entries: E[]): Sorted<E> {
  const sorted: Sorted<E> = { tables: [], images: [], zips: [], others: [] }
  for (const entry of entries) {
    if (entry.fileName.endsWith('/') || leftBehind.test(entry.fileName)) continue
    const name = baseName(entry.fileName)
    const dot = name.lastIndexOf('.')
    const sort = dot < 1 ? undefined : endings[name.slice(dot + 1).toLowerCase()]
    if (sort === undefined) sorted.others.push(entry)
    else if (sort === 'tables' || sort === 'zips') sorted[sort].push(entry)
    else sorted.images.push({ entry, name, kind: sort })
  }
  return sorted
}

/** The name without its folders, composed (NFC) as the cells of a sheet are that name it; sheets write folders either way. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1).normalize('NFC')
}
