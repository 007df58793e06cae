// Refuses OLE compound files, the container of old office documents, of e-mails, and of new workbooks that are encrypted.

import type { ByteSource } from './byte-source.ts'
import type { Refuse, SourceError, SourceErrorCode } from './source-error.ts'

// A container lists its streams by name, in UTF-16. The position of the list depends on the writing program, so the
// whole file is searched, in one pass without parsing. The first of these that occurs counts: a file that is encrypted
// because of its label also has the mark of encryption, and e-mails and texts may have a workbook within.
const contents: [code: SourceErrorCode, streams: string[], sentence: string][] = [
  [
    'old-or-protected-workbook',
    ['DRMEncrypted'],
    'The workbook has a sensitivity label that encrypts it. Choose a label without encryption, or export the table as CSV.',
  ],
  [
    'old-or-protected-workbook',
    ['EncryptedPackage'],
    'The workbook is protected by a password. Save it without one; to restrict who may read the file, use the permissions of its folder.',
  ],
  [
    'not-a-table',
    ['__properties_version1.0'],
    'The file is an Outlook message (.msg). Send the table that is attached to it.',
  ],
  [
    'not-a-table',
    ['WordDocument'],
    'The file is a Word document. Copy its table into a spreadsheet program and save it as .xlsx.',
  ],
  [
    'not-a-table',
    ['PowerPoint Document'],
    'The file is a PowerPoint presentation. Copy its table into a spreadsheet program and save it as .xlsx.',
  ],
  [
    'old-or-protected-workbook',
    ['Workbook\0', 'Book\0'],
    'The workbook is in the old .xls format. Save it as .xlsx or CSV.',
  ],
]
const other: (typeof contents)[number] = [
  'old-or-protected-workbook',
  [],
  'The file is a workbook in the old .xls format or one protected by a password. Save it as .xlsx without a password.',
]
const longestMark = 2 * '__properties_version1.0'.length

/** Reads the file, and returns the error for what the container holds. */
export async function refuseCompound(bytes: ByteSource, refuse: Refuse): Promise<SourceError> {
  const marks = contents.map(([, streams]) => streams.map((name) => Buffer.from(name, 'utf16le')))
  let first = contents.length
  let tail = Buffer.alloc(0)
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    const window = Buffer.concat([tail, chunk])
    const found = marks.findIndex((names) => names.some((name) => window.includes(name)))
    if (found >= 0) first = Math.min(first, found)
    tail = Buffer.from(window.subarray(-longestMark))
  }
  const [code, , sentence] = contents[first] ?? other
  return refuse(code, sentence)
}
