// Decides whether a ZIP is an office document or just a container of files. Pure.

import type { OpenZip } from '#src/files/tables/zip/open-zip.ts'

const parts = new Set(['[content_types].xml', '_rels/.rels', 'xl/workbook.xml'])

/** Also returns true for office documents of other kinds, which the workbook reader then refuses. */
export function isOfficeDocument(zip: OpenZip): boolean {
  return zip.entries.some((entry) => parts.has(entry.fileName.toLowerCase()))
}
