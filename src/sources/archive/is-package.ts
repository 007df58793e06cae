// Whether a ZIP is an office document rather than a parcel of files.

import type { OpenZip } from '#src/sources/zip/open-zip.ts'

const parts = new Set(['[content_types].xml', '_rels/.rels', 'xl/workbook.xml', 'xl/workbook.bin'])

/** Also true of text documents, which the reader of workbooks refuses by name. */
export function isPackage(zip: OpenZip): boolean {
  return zip.entries.some((entry) => parts.has(entry.fileName.toLowerCase()))
}
