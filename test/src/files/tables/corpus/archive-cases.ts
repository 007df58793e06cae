// Sample files: ZIPs with one table and images.

import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import { pngImage } from '#test/support/images.ts'
import type { CorpusCase, Refused, Taken } from './corpus-case.ts'
import { both, peopleText } from './people.ts'
import { peopleBook } from './sheets.ts'

const png = pngImage()
const image: ZipMember = { name: 'photos/zoe.png', content: png }
const csv: ZipMember = { name: 'results.csv', content: peopleText(';'), deflate: true }

const archive = (name: string, expected: Taken | Refused, members: ZipMember[], options = {}): CorpusCase => ({
  name: `is a ZIP ${name}`,
  file: 'results.zip',
  build: () => buildZip(members),
  options,
  expected,
})
const damaged: Refused = { refused: 'damaged', sentence: /./ }
const refused = (sentence: RegExp): Refused => ({ refused: 'archive', sentence })

export const archiveCases: CorpusCase[] = [
  archive('of a CSV and an image', both, [csv, image]),
  archive('of a workbook and an image', both, [image, { name: 'deep/er/results.xlsx', content: peopleBook() }]),
  archive('of a table and metadata that a program added', both, [
    csv,
    { name: '__MACOSX/._results.csv', content: 'x' },
  ]),
  archive('of a table and an unrelated file', { ...both, notices: [/1 other file/] }, [
    csv,
    { name: 'read me.txt', content: 'x' },
  ]),
  archive('of a table and an invalid image', { ...both, notices: [/1 image is not what the name says/] }, [
    csv,
    { ...image, content: '<html>' },
  ]),
  archive('of a table and an incomplete image', { ...both, notices: [/cut off/] }, [
    csv,
    { ...image, content: png.subarray(0, -12) },
  ]),
  archive('without a table', { refused: 'zip-not-workbook', sentence: /no table/ }, [image]),
  archive('of two tables', refused(/2 tables/), [csv, { ...csv, name: 'more/other.csv' }]),
  archive('of a ZIP', refused(/another ZIP/), [csv, { name: 'inner.zip', content: buildZip([csv]) }]),
  archive('of a ZIP that is named like a workbook', refused(/itself a ZIP/), [
    { name: 'a.xlsx', content: buildZip([csv]) },
  ]),
  archive('of two images of the same name', refused(/Two images/), [csv, image, { ...image, name: 'ZOE.png' }]),
  archive('with a path that leads out of it', damaged, [csv, { ...image, name: '../zoe.png' }]),
  archive('with an absolute path', damaged, [csv, { ...image, name: '/zoe.png' }]),
  archive('with a link', damaged, [csv, { ...image, lies: { mode: 0o120777 } }]),
  archive('that is encrypted', refused(/encrypted/), [{ ...csv, lies: { flags: 1 } }]),
  archive('whose files overlap', damaged, [csv, { ...image, lies: { offset: 0 } }]),
  archive(
    'that is a bomb',
    { refused: 'limit', sentence: /100 times/ },
    [csv, { ...image, content: Buffer.alloc(3_000_000), deflate: true }],
    { limits: { ratioFromBytes: 1_000_000 } },
  ),
]
