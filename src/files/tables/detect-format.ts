// Detects by its first bytes whether a file is a ZIP (as workbooks are) or text, and refuses what cannot be a table.

import type { ByteSource } from './byte-source.ts'
import type { Refuse } from './source-error.ts'

// What the first bytes match, decoded as Latin-1, so that each byte is one character. The first that matches counts.
const foreignFormats: [begins: RegExp, description: string][] = [
  [/^%PDF/, 'a PDF'],
  [/^\{\\rtf/, 'a text document (RTF)'],
  [/^(\x89PNG|\xff\xd8\xff|GIF8)/, 'an image'],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: gzip begins with one
  [/^(\x1f\x8b|7z\xbc\xaf|Rar!)/, 'a packed archive'],
  // Some systems export an HTML page and name it .xls.
  [/^(?:\xef\xbb\xbf)?\s{0,100}<(!doctype|html|head|body|table|meta|\?xml)/i, 'a web page or XML'],
  [/^(?:[\w-]+:.*\n)?mime-version:/is, 'a web page in one file (MHTML) or an e-mail'],
  [/^(?:\xef\xbb\xbf)?\s{0,100}(\{\s{0,100}"|\[\s{0,100}[{[])/, 'JSON'],
]

const zipMagics = ['PK\x03\x04', 'PK\x05\x06']
// The container of old office documents, and of new workbooks that are encrypted.
const oleMagic = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const oldOrProtected =
  'The file has the format of old office documents such as .xls, and so do workbooks that a password or a sensitivity label encrypts. Save the table as .xlsx without encryption, or export it as CSV.'

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
  if (head.startsWith(oleMagic)) throw refuse('old-or-protected-workbook', oldOrProtected)
  const [, description] = foreignFormats.find(([begins]) => begins.test(head)) ?? []
  if (description === undefined) return 'csv'
  const remedy = 'If it opens in a spreadsheet program, save it there as .xlsx; else export the list as CSV or XLSX.'
  throw refuse('not-a-table', `The file is ${description}, not a table. ${remedy}`)
}
