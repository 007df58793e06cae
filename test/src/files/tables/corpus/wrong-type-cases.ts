// Sample files: files whose content does not match their name or is not a table.

import { gzipSync } from 'node:zlib'
import { buildZip } from '#test/support/build-zip.ts'
import { workbookMembers } from '#test/support/written-workbook.ts'
import type { CorpusCase, Refused } from './corpus-case.ts'
import { both, peopleText } from './people.ts'
import { peopleBook } from './sheets.ts'

const noTable = (sentence: RegExp): Refused => ({ refused: 'not-a-table', sentence })
const page = '<html><body><table><tr><td>Zoë Quennell</td></tr></table></body></html>'
const text = (content: string) => Buffer.from(content, 'latin1')
const zipOf = (...names: string[]) => buildZip(names.map((name) => ({ name, content: 'Quennell' })))

export const wrongTypeCases: CorpusCase[] = [
  { name: 'is XLSX but named .csv', file: 'results.csv', build: peopleBook, expected: both },
  { name: 'is CSV but named .xlsx', file: 'results.xlsx', build: () => peopleText(), expected: both },
  { name: 'is CSV but named .xls', file: 'results.xls', build: () => peopleText('\t'), expected: both },
  { name: 'is CSV but named .zip', file: 'results.zip', build: () => peopleText(';'), expected: both },
  { name: 'is HTML but named .xls', file: 'results.xls', build: () => page, expected: noTable(/web page/) },
  {
    name: 'is HTML after a byte order mark and blanks',
    file: 'results.xls',
    build: () => `\ufeff\n \n<!DOCTYPE html>${page}`,
    expected: noTable(/web page/),
  },
  { name: 'is JSON', build: () => '[ {"Name": "Quennell"} ]', expected: noTable(/JSON/) },
  {
    name: 'is a web page in one file',
    file: 'results.xls',
    build: () => `From: <Saved by a browser>\r\nMIME-Version: 1.0\r\n\r\n${page}`,
    expected: noTable(/MHTML/),
  },
  { name: 'is XML', file: 'results.xls', build: () => '<?xml version="1.0"?><Workbook/>', expected: noTable(/XML/) },
  {
    name: 'is an old .xls or protected by a password',
    file: 'results.xls',
    build: () => Buffer.from('d0cf11e0a1b11ae1', 'hex'),
    expected: { refused: 'old-or-protected-workbook', sentence: /\.xls.*password.*without encryption/ },
  },
  { name: 'is a PDF', file: 'results.csv', build: () => text('%PDF-1.7\n1,2'), expected: noTable(/PDF/) },
  { name: 'is an image', build: () => text('\x89PNG\r\n\x1a\n'), expected: noTable(/image/) },
  {
    name: 'is compressed with gzip',
    file: 'results.csv.gz',
    build: () => gzipSync(peopleText()),
    expected: noTable(/packed/),
  },
  {
    name: 'is a binary file',
    build: () => Buffer.from([...Array(600).keys()].map((n) => (n * 7) % 256)),
    expected: noTable(/not text/),
  },
  {
    name: 'is a text document in a ZIP',
    file: 'results.xlsx',
    build: () =>
      buildZip(workbookMembers({ members: [{ name: 'xl/workbook.xml', content: '<document>Quennell</document>' }] })),
    expected: { refused: 'zip-not-workbook', sentence: /office document/ },
  },
  {
    name: 'is an OpenDocument table',
    file: 'results.xlsx',
    build: () => zipOf('mimetype', 'content.xml'),
    expected: { refused: 'zip-not-workbook', sentence: /OpenDocument/ },
  },
  ...[
    ['a Word document', 'word/document.xml', /Word document/],
    ['a presentation', 'ppt/presentation.xml', /PowerPoint/],
    ['a Numbers document', 'Index/Document.iwa', /Numbers/],
    ['an older Numbers document', 'Index.zip', /Numbers/],
    ['a binary workbook', 'xl/workbook.bin', /\.xlsb/],
  ].map(([kind, part, sentence]): CorpusCase => {
    return {
      name: `is ${kind}`,
      file: 'results.xlsx',
      build: () => zipOf('[Content_Types].xml', part as string),
      expected: { refused: 'zip-not-workbook', sentence: sentence as RegExp },
    }
  }),
  {
    name: 'is an empty ZIP',
    file: 'results.zip',
    build: () => buildZip([]),
    expected: { refused: 'zip-not-workbook', sentence: /no table/ },
  },
]
