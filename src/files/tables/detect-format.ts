// Detects by its first bytes whether a file is a ZIP (as workbooks are) or text, and refuses what cannot be a table.

import type { ByteSource } from './byte-source.ts'
import type { Refuse, SourceError, SourceErrorCode } from './source-error.ts'

interface ForeignFormat {
  /** Matches the first bytes decoded as Latin-1, so that each byte is one character. */
  begins: RegExp
  description: string
  /** How to get a table from such a file. */
  remedy?: string
}

const exportTable = 'Export it as CSV or XLSX.'

// The first that matches counts.
const foreignFormats: ForeignFormat[] = [
  { begins: /^%PDF/, description: 'a PDF', remedy: 'Export the list as CSV or XLSX from the program that printed it.' },
  { begins: /^\{\\rtf/, description: 'a text document (RTF)' },
  { begins: /^(\x89PNG|\xff\xd8\xff|GIF8)/, description: 'an image' },
  // biome-ignore lint/suspicious/noControlCharactersInRegex: gzip begins with one
  { begins: /^(\x1f\x8b|7z\xbc\xaf|Rar!)/, description: 'a packed archive', remedy: 'Unpack it, and send the table.' },
  {
    begins: /^(?:\xef\xbb\xbf)?\s{0,100}<\?xml.*urn:schemas-microsoft-com:office:spreadsheet/is,
    description: 'a workbook in the old XML format (XML Spreadsheet 2003)',
    remedy: 'Open it in Excel and save it as .xlsx.',
  },
  {
    // Some systems export an HTML page and name it .xls.
    begins: /^(?:\xef\xbb\xbf)?\s{0,100}<(!doctype|html|head|body|table|meta|\?xml)/i,
    description: 'a web page or XML',
    remedy: 'If it opens in a spreadsheet program, save it there as .xlsx; else export it as CSV or XLSX.',
  },
  {
    begins: /^(?:[\w-]+:.*\n)?mime-version:/is,
    description: 'a web page in one file (MHTML) or an e-mail',
    remedy: 'Open it in a spreadsheet program and save it as .xlsx, or send the table that is attached.',
  },
  { begins: /^(?:\xef\xbb\xbf)?\s{0,100}(\{\s{0,100}"|\[\s{0,100}[{[])/, description: 'JSON' },
]

const zipMagics = ['PK\x03\x04', 'PK\x05\x06']
const oleMagic = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/**
 * Detects the format from the first bytes. Anything that is not recognized as something else counts as CSV. Whether a
 * ZIP is a workbook is decided later, by its table of contents.
 * @throws SourceError (`empty`, `not-a-table`, `old-or-protected-workbook`)
 */
export async function detectFormat(bytes: ByteSource, refuse: Refuse): Promise<'csv' | 'zip'> {
  const head = (await bytes.head(4096)).toString('latin1')
  if (head.length === 0)
    throw refuse('empty', 'The file is empty. Export it again and check that the export has finished.')
  if (zipMagics.some((magic) => head.startsWith(magic))) return 'zip'
  if (head.startsWith(oleMagic)) throw await refuseCompound(bytes, refuse)
  const foreign = foreignFormats.find(({ begins }) => begins.test(head))
  if (!foreign) return 'csv'
  const { description, remedy = exportTable } = foreign
  throw refuse('not-a-table', `The file is ${description}, not a table. ${remedy}`)
}

// Refuses OLE compound files, the container of old office documents, of e-mails, and of new workbooks that are encrypted.

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
async function refuseCompound(bytes: ByteSource, refuse: Refuse): Promise<SourceError> {
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
