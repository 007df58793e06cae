// What is read from a ZIP with one table and images, and which ZIPs are refused.

import { crc32 } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { withoutPeople } from '#src/extensions/notices/facts.ts'
import { openSource } from '#src/files/tables/open-source.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { buildZip, type ZipMember } from '#test/support/build-zip.ts'
import { jpegImage, pngImage } from '#test/support/images.ts'
import { readRefusal, readSource, withFile } from '#test/support/read-source.ts'
import { inlineRow, writeWorkbook } from '#test/support/written-workbook.ts'

const csv: ZipMember = { name: 'list.csv', content: 'Name,Photo\nAnna,a.png\n', deflate: true }
const workbook: ZipMember = {
  name: 'in here/list.xlsx',
  content: writeWorkbook({ rows: inlineRow('Name', 'Photo') + inlineRow('Anna', 'a.png') }),
  deflate: true,
}
const png: ZipMember = { name: 'photos/a.png', content: pngImage() }
const jpeg: ZipMember = { name: 'B.JPG', content: jpegImage(), deflate: true }

/** Makes a ZIP member as macOS does, with a UTF-8 name that is not declared as UTF-8. */
const withUndeclaredName = (member: ZipMember): ZipMember => ({ ...member, lies: { flags: 0 } })

/** Makes a ZIP member as Info-ZIP does, with a name of an old code page and the real one in an extra field. */
function withUnicodePath(member: ZipMember, name: string): ZipMember {
  const extra = Buffer.concat([Buffer.from([0x75, 0x70, 0, 0, 1, 0, 0, 0, 0]), Buffer.from(name)])
  extra.writeUInt16LE(extra.length - 4, 2)
  extra.writeUInt32LE(crc32(member.name), 5)
  return { ...withUndeclaredName(member), extra }
}

describe('a ZIP with a table and images', () => {
  test.each([
    ['csv', csv],
    ['xlsx', workbook],
  ])('returns the rows of its %s, and its images by name', (format, table) =>
    withFile(buildZip([png, table, jpeg]), async (path) => {
      await using source = await openSource(path)
      expect(source).toMatchObject({ format, header: ['Name', 'Photo'], notices: [], name: 'results.dat' })
      expect(source.images?.list).toEqual([
        { name: 'a.png', kind: 'png', bytes: pngImage().length },
        { name: 'B.JPG', kind: 'jpg', bytes: jpegImage().length },
      ])
      expect(await source.images?.read('a.png')).toEqual(pngImage())
      const cells: string[][] = []
      for await (const batch of source.batches()) cells.push(...batch.map((row) => row.cells))
      expect(cells).toEqual([['Anna', 'a.png']])
      expect(await source.images?.read('b.jpg')).toEqual(jpegImage())
      await expect(source.images?.read('c.png')).rejects.toMatchObject({ code: 'archive' })
    }),
  )

  test('returns an image larger than one message chunk unchanged', () =>
    withFile(buildZip([csv, { ...png, content: pngImage(500), deflate: true }]), async (path) => {
      await using source = await openSource(path)
      expect(await source.images?.read('a.png')).toEqual(pngImage(500))
    }))

  test('is read without the extra files that programs add to folders', async () => {
    const extraFiles = [
      '__MACOSX/._list.csv',
      '.hidden/more.csv',
      'photos/.DS_Store',
      '~$list.xlsx',
      'photos/Thumbs.db',
    ]
    const members = [csv, { name: 'photos/', content: '' }, ...extraFiles.map((name) => ({ name, content: 'x' }))]
    expect((await readSource(buildZip(members))).notices).toEqual([])
  })

  test.each<[string, ZipMember]>([
    ['declares its names as UTF-8', { ...png, name: 'Mu\u0308ller.png' }],
    ['does not declare that', withUndeclaredName({ ...png, name: 'Mu\u0308ller.png' })],
    ['has them in an extra field', withUnicodePath({ ...png, name: 'M_ller.png' }, 'M\u00fcller.png')],
    ['has backslashes, as from Windows', { ...png, name: 'photos\\M\u00fcller.png' }],
  ])('returns image names composed and without folders if it %s', (_, image) =>
    withFile(buildZip([csv, image]), async (path) => {
      await using source = await openSource(path)
      expect(source.images?.list.map((entry) => entry.name)).toEqual(['M\u00fcller.png'])
    }),
  )

  test('returns the bytes of a name whose encoding is not known', () => {
    const zip = buildZip([csv, withUndeclaredName({ ...png, name: 'photos/MichaX.png' })])
    const bytes = Buffer.from(zip.toString('latin1').replaceAll('MichaX', 'Micha\x88'), 'latin1')
    return withFile(bytes, async (path) => {
      await using source = await openSource(path)
      expect(source.images?.list).toMatchObject([{ name: 'Michaê.png', nameBytes: 'Micha\x88.png' }])
    })
  })

  test('reports invalid images and other files, and omits them', () =>
    withFile(
      buildZip([
        csv,
        png,
        { name: 'page.jpg', content: '<!doctype html>' },
        { name: 'really-a-jpeg.png', content: jpegImage() },
        { name: 'cut.jpeg', content: jpegImage().subarray(0, -2) },
        { name: 'read\u202eme.txt', content: 'x' },
      ]),
      async (path) => {
        await using source = await openSource(path)
        expect(source.images?.list.map((entry) => entry.name)).toEqual(['a.png'])
        expect(source.notices).toEqual([
          expect.stringMatching(/^3 images .* left out: “page\.jpg”, “really-a-jpeg\.png” and “cut\.jpeg”\./),
          '1 other file in the ZIP was not read: “read?me.txt”.',
        ])
      },
    ))
})

describe('a ZIP is refused', () => {
  test.each<[string, string, RegExp, ZipMember[], Partial<SourceLimits>?]>([
    ['with a strongly encrypted file', 'archive', /encrypted/, [csv, { ...png, lies: { flags: 0x841 } }]],
    ['with names that differ in case', 'damaged', /same name/, [csv, png, { ...png, name: 'Photos/A.PNG' }]],
    [
      'with a wrong checksum of an image',
      'damaged',
      /“photos\/a\.png” .* damaged/,
      [csv, { ...png, lies: { crc: 1 } }],
    ],
    ['with a wrong checksum of its table', 'damaged', /table in the ZIP is damaged/, [{ ...csv, lies: { crc: 1 } }]],
    [
      'with an old workbook',
      'old-or-protected-workbook',
      /\.xls/,
      [{ name: 'a.xls', content: Buffer.from('d0cf11e0a1b11ae1', 'hex') }],
    ],
    ['with too many files', 'limit', /3 files; the limit is 2/, [csv, png, jpeg], { archiveEntries: 2, zipEntries: 2 }],
    ['with too large an image', 'limit', /limit is 60/, [csv, png], { imageBytes: 60 }],
    ['with too large a workbook', 'limit', /limit is 100/, [workbook], { nestedWorkbookBytes: 100 }],
    ['with too long a table of contents', 'limit', /limit of 90 bytes/, [csv, png], { zipDirectoryBytes: 90 }],
    ['that is too large when unpacked', 'limit', /limit is 50/, [csv, png], { inflatedBytes: 50 }],
  ])('%s', async (_, code, sentence, members, limits) => {
    const refusal = await readRefusal(buildZip(members), { limits })
    expect(refusal.code).toBe(code)
    expect(refusal.sentence).toMatch(sentence)
  })

  test('without an image being named in notices, because it may be named after a person', async () => {
    const lovelace = { ...png, name: 'a/Ada “Countess” Lovelace.png' }
    const { sentence } = await readRefusal(
      buildZip([csv, lovelace, { ...lovelace, name: lovelace.name.replace('a/', '') }]),
    )
    expect(sentence).toContain('Lovelace.png')
    expect(withoutPeople(sentence)).toBe(
      'Two images in the ZIP are called “…”, apart from folders and case. Rename one of them.',
    )
  })
})
