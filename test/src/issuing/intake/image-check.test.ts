// Assigning images to the rows of a file, and the notices about images, before anything is written to the ledger.

import { describe, expect, test } from 'vitest'
import type { Field } from '#src/domain/recipient/field.ts'
import type { Source } from '#src/files/tables/source.ts'
import { readImageKind } from '#src/files/tables/zip-source/image-kind.ts'
import { openImageCheck } from '#src/issuing/intake/image-check.ts'
import { PlanError } from '#src/issuing/intake/row-check.ts'
import type { StagedRow } from '#src/ledger/runs/intake.ts'
import { courseFields } from '#test/src/domain/recipient/fields.ts'
import { aBadRow } from '#test/support/domain-objects.ts'
import { aJpeg, aPng } from '#test/support/portraits.ts'

const upload = { mode: 'upload' as const }
const header = ['Email', 'Photo']

function aSource(images: Record<string, Buffer> | null, titles = header): Pick<Source, 'header' | 'images'> {
  const list = Object.entries(images ?? {}).map(([name, bytes]) => {
    return { name, kind: readImageKind(bytes) ?? 'png', bytes: bytes.length }
  })
  const read = async (name: string) => images?.[name] ?? Buffer.alloc(0)
  return { header: titles, images: images && { list, read } }
}

/** A valid staged row. The image check does not read its values. */
const staged = (row: number): StagedRow => ({ ...aBadRow(row), violations: null, recipient: { Email: 'a@x.example' } })

function rowOf(check: ReturnType<typeof openImageCheck>, image: string, row = 7): StagedRow {
  return check.row({ row, cells: ['a@x.example', image] }, staged(row))
}

describe('pictures over the cells of a sheet', () => {
  test('are refused if the sheet has a column for images that fills no field', () => {
    const open = () => openImageCheck(upload, { ...aSource(null), pictures: 2 })
    expect(open).toThrow(PlanError)
    expect(open).toThrow(/2 pictures lie over the cells .* a column for images: .*Photo.* Send one ZIP/)
  })

  test('do no harm in a list without such a column, or beside images in a ZIP', () => {
    expect(openImageCheck(upload, { ...aSource(null, ['Email', 'Name']), pictures: 2 }).notices()).toEqual([])
    expect(openImageCheck(upload, { ...aSource({ 'ada.png': aPng('a') }), pictures: 2 }).sendsImages).toBe(true)
  })

  test('are in a notice if the pipeline sends no images', () => {
    const check = openImageCheck({ mode: 'json' }, { ...aSource(null), pictures: 2 })
    expect(check.notices()).toEqual([expect.stringContaining('2 images are in the sheet and will not be sent')])
    expect(openImageCheck({ mode: 'json' }, { ...aSource(null, ['Email']), pictures: 1 }).notices()).toEqual([])
  })
})

describe('an image whose name was packed in an old code page', () => {
  // As Windows packs it in Poland: Michał.png in code page 852, which a reader takes for code page 437.
  const packed = { name: 'Michaê.png', nameBytes: 'Micha\x88.png', kind: 'png' as const, bytes: 1 }
  const source = { ...aSource({}), images: { list: [packed], read: async () => Buffer.alloc(1) } }

  test('is found by what the row calls it', () => {
    const check = openImageCheck(upload, source)
    expect(rowOf(check, 'Michał.png')).toMatchObject({ image: 'Michaê.png', violations: null })
    expect(check.notices()).toEqual([])
  })
})

describe('a row', () => {
  test.each(['ada.png', 'ADA.PNG', 'photos/ada.png', 'photos\\ada.png', ' ada.png ', '="ada.png"'])(
    'that names an image as %j gets that image',
    (given) => {
      const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
      expect(rowOf(check, given)).toMatchObject({ image: 'ada.png', violations: null })
      expect(check.notices()).toEqual([])
      expect(check.sendsImages).toBe(true)
    },
  )

  test('that names an image with a composed letter gets the image whose name has the decomposed letter', () => {
    const check = openImageCheck(upload, aSource({ 'Zoe\u0308.png': aPng('z') }))
    expect(rowOf(check, 'Zo\u00eb.png').image).toBe('Zoe\u0308.png')
  })

  test.each([
    ['nobody.png', /“Photo” holds n… \(10 characters\), and the ZIP contains no readable image with that name\./],
    ['ada', /no readable image with that name\. .*including the file extension/],
    ['', /“Photo” is empty, but every row needs its image\. Write the name of the image in this cell/],
  ])(
    'that names %j is rejected, with a message that has the column and the remedy but not the given name',
    (given, sentence) => {
      const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
      const row = rowOf(check, given)
      expect(row).toMatchObject({ recipient: null, issuanceKey: null })
      const [violation] = row.violations as { rule: string; column: string; row: number; sentence: string }[]
      expect(violation).toMatchObject({ rule: 'image', column: 'Photo', row: 7 })
      expect(violation?.sentence).toMatch(sentence)
      expect(violation?.sentence).not.toContain('nobody')
    },
  )

  test.each([
    ['Photo', 'ada.png'],
    ['Photo URL', 'https://pictures.example/17'],
  ])('of a list without images is rejected if its column %s contains %j', (title, given) => {
    const check = openImageCheck(upload, aSource(null, ['Email', title]))
    expect(JSON.stringify(rowOf(check, given).violations)).toContain(
      'the file came without images. Send one ZIP that holds this file and the images that it names, or empty the column',
    )
    expect(check.sendsImages).toBe(false)
  })

  test.each([
    ['Photo', ''],
    ['Photo consent', 'yes'],
    ['Notes', 'ada.png'],
  ])('of a list without images is accepted if its column %s contains %j', (title, given) => {
    expect(rowOf(openImageCheck(upload, aSource(null, ['Email', title])), given)).toEqual(staged(7))
  })

  test('of a list without images is accepted if the column fills a field, and if the pipeline sends data only', () => {
    const source = { kind: 'column' as const, index: 1, column: 'Photo', date: null }
    const plan = [{ field: courseFields[0] as Field, source }]
    expect(rowOf(openImageCheck(upload, aSource(null), plan), 'ada.png')).toEqual(staged(7))
    expect(rowOf(openImageCheck({ mode: 'json' }, aSource(null)), 'ada.png')).toEqual(staged(7))
    const constant = [{ field: courseFields[0] as Field, source: { kind: 'constant' as const, value: 'x' } }]
    expect(rowOf(openImageCheck(upload, aSource(null), constant), 'ada.png').violations).toHaveLength(1)
  })

  test('of a list without images is rejected because of the first column that names an image', () => {
    const check = openImageCheck(upload, aSource(null, ['Email', 'Photo', 'Bild', 'Portrait']))
    const row = check.row({ row: 7, cells: ['a@x.example', '', '17', '18'] }, staged(7))
    expect(row.violations).toMatchObject([{ column: 'Bild', value: '… (2 characters)' }])
    expect(check.column).toBeNull()
  })

  test('of a list without images that is rejected for another reason keeps its violations', () => {
    const bad = aBadRow(7)
    expect(openImageCheck(upload, aSource(null)).row({ row: 7, cells: ['', 'ada.png'] }, bad)).toBe(bad)
  })

  test('of a list without images is rejected if the pipeline names the image column', () => {
    const named = rowOf(openImageCheck({ ...upload, imageColumn: 'photo' }, aSource(null)), 'ada.png')
    expect(JSON.stringify(named.violations)).toContain('the file came without images')
    const other = openImageCheck({ ...upload, imageColumn: 'Datei' }, aSource(null, ['Email', 'Datei']))
    expect(JSON.stringify(rowOf(other, 'ada.png').violations)).toContain('the file came without images')
  })

  test('that is rejected for another reason keeps its violations, and its image counts as named', () => {
    const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
    const bad = aBadRow(7)
    expect(check.row({ row: 7, cells: ['', 'ada.png'] }, bad)).toBe(bad)
    expect(check.notices()).toEqual([])
  })
})

describe('the image column', () => {
  test('must be in the file if the pipeline names it', () => {
    const open = () => openImageCheck({ ...upload, imageColumn: 'Portrait' }, aSource({}))
    expect(open).toThrow(PlanError)
    expect(open).toThrow(
      'names the column “Portrait”, and the file has no such column. The columns of the file are: Email, Photo.',
    )
  })

  test('must be named by the pipeline if two columns match', () => {
    const source = aSource({ 'a.png': aPng('a') }, ['Email', 'Photo of you', 'Image of badge'])
    expect(() => openImageCheck(upload, source)).toThrow(
      'Photo of you, Image of badge. Set batch.imageColumn to the right one',
    )
    const check = openImageCheck({ ...upload, imageColumn: 'photo of you' }, source)
    expect(check.row({ row: 2, cells: ['x', 'a.png', ''] }, staged(2)).image).toBe('a.png')
  })

  test('is the first one if the pipeline names it and two columns have that name in different case', () => {
    const check = openImageCheck(
      { ...upload, imageColumn: 'photo' },
      aSource({ 'a.png': aPng('a') }, ['Photo', 'PHOTO']),
    )
    expect(check.column).toBe('Photo')
    expect(check.row({ row: 2, cells: ['a.png', ''] }, staged(2)).image).toBe('a.png')
  })
})

describe('images that no row names', () => {
  test('are counted, and the first five are listed', () => {
    const names = ['1', '2', '3', '4', '5', '6', '7'].map((name) => `${name}.png`)
    const check = openImageCheck(upload, aSource(Object.fromEntries(names.map((name) => [name, aPng(name)]))))
    rowOf(check, '1.png')
    expect(check.notices()).toEqual([
      '6 images are not named by any row and will not be sent: “2.png”, “3.png”, “4.png”, “5.png”, “6.png” and 1 more.',
    ])
  })

  test('are listed without terminal control characters', () => {
    const check = openImageCheck(upload, aSource({ 'a\u001b[2J.png': aPng('a') }))
    expect(check.notices()[0]).toContain('will not be sent: “a?[2J.png”.')
  })

  test('cause the file to be refused if no column names any image, so that no row is sent without its photo by mistake', () => {
    const open = () => openImageCheck(upload, aSource({ 'a.png': aPng('a'), 'b.png': aPng('b') }, ['Email', 'Datei']))
    expect(open).toThrow(PlanError)
    expect(open).toThrow(
      '2 images came with the file, and no column says whose they are. Set batch.imageColumn to the column that names them, or send the list without images. The columns of the file are: Email, Datei.',
    )
    const withOne = () => openImageCheck(upload, aSource({ 'a.png': aPng('a') }, ['Email']))
    expect(withOne).toThrow(
      '1 image came with the file, and no column says whose it is. Set batch.imageColumn to the column that names them, or send the list without images. The columns of the file are: Email.',
    )
    expect(openImageCheck(upload, aSource({}, ['Email'])).sendsImages).toBe(false)
  })

  test.each(['Foto', 'Bild', 'Lichtbild', 'Portrait', 'Profile picture', 'Imagen'])(
    'are matched by the column %s',
    (title) => {
      const check = openImageCheck(upload, aSource({ 'a.png': aPng('a') }, ['Email', title]))
      expect(rowOf(check, 'a.png').image).toBe('a.png')
    },
  )

  test('are reported if the pipeline sends data only', () => {
    const json = openImageCheck({ mode: 'json' }, aSource({ 'a.png': aPng('a') }))
    expect(rowOf(json, 'a.png')).toEqual(staged(7))
    const noticesFor = (images: Record<string, Buffer>) => openImageCheck({ mode: 'json' }, aSource(images)).notices()
    const unsent = 'in the ZIP and will not be sent: this pipeline sends data only (batch.mode json).'
    expect(json.notices()).toEqual([`1 image is ${unsent}`])
    expect(noticesFor({ 'a.png': aPng('a'), 'b.png': aPng('b') })).toEqual([`2 images are ${unsent}`])
    expect(noticesFor({})).toEqual([])
  })
})

describe('an image that two rows name', () => {
  const stagedFor = (row: number, person: string) => ({ ...staged(row), identityHash: Buffer.from(person) })
  const check = () => openImageCheck(upload, aSource({ 'a.png': aPng('a'), 'b.png': aPng('b') }))
  const named = (image: string) => ['a@x.example', image]

  test('is reported with the first two rows if the rows belong to different people', () => {
    const images = check()
    images.row({ row: 2, cells: named('a.png') }, stagedFor(2, 'ada'))
    for (const row of [3, 4]) images.row({ row, cells: named('A.PNG') }, stagedFor(row, `person ${row}`))
    images.row({ row: 5, cells: named('b.png') }, stagedFor(5, 'bob'))
    expect(images.notices()).toEqual([
      '1 image is named by rows of more than one person, all of whom will get the same image: “a.png” (rows 2 and 3). Correct the list if this is not intended.',
    ])
  })

  test('is counted with the others, of which the first is located', () => {
    const images = check()
    images.row({ row: 2, cells: named('b.png') }, stagedFor(2, 'ada'))
    images.row({ row: 3, cells: named('a.png') }, stagedFor(3, 'bob'))
    images.row({ row: 4, cells: named('a.png') }, stagedFor(4, 'cem'))
    images.row({ row: 5, cells: named('b.png') }, stagedFor(5, 'dan'))
    expect(images.notices()).toEqual([
      '2 images are named by rows of more than one person, all of whom will get the same image: “a.png” and “b.png” (the first by rows 3 and 4). Correct the list if this is not intended.',
    ])
  })

  test('is accepted if the rows belong to one person, or if one of them is rejected', () => {
    const images = check()
    for (const row of [2, 3]) images.row({ row, cells: named('a.png') }, stagedFor(row, 'ada'))
    images.row({ row: 4, cells: named('a.png') }, aBadRow(4))
    images.row({ row: 6, cells: named('a.png') }, { ...aBadRow(6), identityHash: Buffer.from('eve') })
    images.row({ row: 5, cells: named('b.png') }, stagedFor(5, 'bob'))
    expect(images.notices()).toEqual([])
  })
})

describe('an image that a row names', () => {
  test('is sent with the type that its content has', async () => {
    const check = openImageCheck(upload, aSource({ 'a.jpg': aPng('a'), 'b.png': aJpeg('b') }))
    expect(await check.read('a.jpg')).toEqual({ type: 'png', bytes: aPng('a') })
    expect(await check.read('b.png')).toEqual({ type: 'jpg', bytes: aJpeg('b') })
  })
})
