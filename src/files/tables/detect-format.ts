// Detects by its first bytes whether a file is a ZIP (as workbooks are) or text, and refuses what cannot be a table.

import type { ByteSource } from './byte-source.ts'
import { refuseCompound } from './refuse-compound.ts'
import type { Refuse } from './source-error.ts'

interface ForeignFormat {
  signatures: string[]
  description: string
}

// Compared with the first bytes decoded as Latin-1, so that each byte is one character.
const foreignFormats: ForeignFormat[] = [
  { signatures: ['%PDF'], description: 'a PDF' },
  { signatures: ['{\\rtf'], description: 'a text document (RTF)' },
  { signatures: ['\x89PNG', '\xff\xd8\xff', 'GIF8'], description: 'an image' },
  { signatures: ['\x1f\x8b', '7z\xbc\xaf', 'Rar!'], description: 'a packed archive' },
]

// Some systems export an HTML page and name it .xls.
const markup = /^(\xef\xbb\xbf)?\s{0,100}<(!doctype|html|head|body|table|meta|\?xml)/i
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
  const description = markup.test(head)
    ? 'a web page or XML'
    : foreignFormats.find((foreignFormat) => foreignFormat.signatures.some((magic) => head.startsWith(magic)))
        ?.description
  if (description) throw refuse('not-a-table', `The file is ${description}, not a table. Export it as CSV or XLSX.`)
  return 'csv'
}
