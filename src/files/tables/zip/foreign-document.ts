// Recognizes office documents among ZIPs, and refuses those without a table that can be read.

import type { Entry } from 'yauzl'
import type { Refuse } from '#src/files/tables/source-error.ts'

/** For each document, the file inside by which it is recognized, what it is called, and how to get a table from it. */
const documents: [part: RegExp, sentence: string][] = [
  [
    /^word\/document\.xml$/i,
    'The file is a Word document. Copy its table into a spreadsheet program and save it as .xlsx.',
  ],
  [
    /^ppt\/presentation\.xml$/i,
    'The file is a PowerPoint presentation. Copy its table into a spreadsheet program and save it as .xlsx.',
  ],
  [
    /^Index(\.zip|\/Document\.iwa)$/,
    'The file is a document of Numbers, Pages or Keynote. Open it in Numbers and export it as Excel or CSV.',
  ],
  [/^xl\/workbook\.bin$/i, 'The file is a binary workbook (.xlsb). Save it as .xlsx.'],
  [/^mimetype$/, 'The file is an OpenDocument file (.ods). Save it as .xlsx or CSV.'],
]

/** @throws SourceError (`zip-not-workbook`) if the ZIP is such a document */
export function refuseForeignDocument(entries: readonly Entry[], refuse: Refuse): void {
  const found = documents.find(([part]) => entries.some((entry) => part.test(entry.fileName)))
  if (found) throw refuse('zip-not-workbook', found[1])
}

const parts = new Set(['[content_types].xml', '_rels/.rels', 'xl/workbook.xml'])

/**
 * Returns true if the ZIP is an office document and not just a container of files, even if it is of a kind that the
 * workbook reader then refuses.
 */
export function isOfficeDocument(entries: readonly Entry[]): boolean {
  return entries.some((entry) => parts.has(entry.fileName.toLowerCase()))
}
