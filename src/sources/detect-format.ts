// Tells by its first bytes whether a file is a ZIP (as workbooks are), text, or something that only calls itself a table.

import type { ByteSource } from './byte-source.ts'
import { refuseCompound } from './refuse-compound.ts'
import type { Refuse } from './source-error.ts'

interface Foreign {
  begins: string[]
  what: string
}

// Compared with the first bytes read as Latin-1, so that a byte is a character.
const foreignFormats: Foreign[] = [
  { begins: ['%PDF'], what: 'a PDF' },
  { begins: ['{\\rtf'], what: 'a text document (RTF)' },
  { begins: ['\x89PNG', '\xff\xd8\xff', 'GIF8'], what: 'an image' },
  { begins: ['\x1f\x8b', '7z\xbc\xaf', 'Rar!'], what: 'a packed archive' },
]

// Some systems export an HTML page and call it .xls.
const markup = /^(\xef\xbb\xbf)?\s{0,100}<(!doctype|html|head|body|table|meta|\?xml)/i
const zipMagics = ['PK\x03\x04', 'PK\x05\x06']
const oleMagic = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'

/**
 * Reads the first bytes and gives the format; every text that is not recognised as something else counts as CSV. Whether
 * a ZIP is a workbook only its table of contents says. Throws SourceError (`empty`, `not-a-table`,
 * `old-or-protected-workbook`).
 */
export async function detectFormat(bytes: ByteSource, refuse: Refuse): Promise<'csv' | 'zip'> {
  const head = (await bytes.head(4096)).toString('latin1')
  if (head.length === 0) throw refuse('empty', 'The file is empty. Export it again and check that the export ended.')
  if (zipMagics.some((magic) => head.startsWith(magic))) return 'zip'
  if (head.startsWith(oleMagic)) throw await refuseCompound(bytes, refuse)
  const what = markup.test(head)
    ? 'a web page or XML'
    : foreignFormats.find((each) => each.begins.some((magic) => head.startsWith(magic)))?.what
  if (what) throw refuse('not-a-table', `The file is ${what}, not a table. Export it as CSV or XLSX.`)
  return 'csv'
}
