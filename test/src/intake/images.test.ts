// Rows and the images that they name, before anything reaches the ledger.

import { describe, expect, test } from 'vitest'
import { openImageCheck } from '#src/intake/images.ts'
import { PlanError } from '#src/intake/row-check.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import type { Field } from '#src/recipients/field.ts'
import { readImageKind } from '#src/sources/archive/image-kind.ts'
import type { Source } from '#src/sources/source.ts'
import { courseFields } from '#test/src/recipients/fields.ts'
import { aBadRow } from '#test/support/build.ts'
import { aJpeg, aPng } from '#test/support/portraits.ts'

const upload = { mode: 'upload' as const }
const header = ['Email', 'Photo']

function aSource(images: Record<string, Buffer> | null, titles = header): Pick<Source, 'header' | 'format' | 'images'> {
  const list = Object.entries(images ?? {}).map(([name, bytes]) => {
    return { name, kind: readImageKind(bytes) ?? 'png', bytes: bytes.length }
  })
  const read = async (name: string) => images?.[name] ?? Buffer.alloc(0)
  return { header: titles, format: 'xlsx', images: images && { list, read } }
}

/** A good row, as it would be staged; the image check looks at nothing of it. */
const staged = (row: number): StagedRow => ({ ...aBadRow(row), violations: null, recipient: { Email: 'a@x.example' } })

function rowOf(check: ReturnType<typeof openImageCheck>, image: string, row = 7): StagedRow {
  return check.row({ row, cells: ['a@x.example', image] }, staged(row))
}

describe('a row', () => {
  test.each(['ada.png', 'ADA.PNG', 'photos/ada.png', 'photos\\ada.png', ' ada.png ', '="ada.png"'])(
    'that names an image as %j gets it',
    (given) => {
      const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
      expect(rowOf(check, given)).toMatchObject({ image: 'ada.png', violations: null })
      expect(check.notices()).toEqual([])
      expect(check.travels).toBe(true)
    },
  )

  test('that names an image with a composed letter gets the one whose name has it decomposed', () => {
    const check = openImageCheck(upload, aSource({ 'Zoe\u0308.png': aPng('z') }))
    expect(rowOf(check, 'Zo\u00eb.png').image).toBe('Zoe\u0308.png')
  })

  test.each([
    [
      'nobody.png',
      /“Photo” \(column B\) holds n… \(10 characters\), and the ZIP holds no readable image of that name\./,
    ],
    ['ada', /no readable image of that name\. .*with its ending/],
    ['', /“Photo” \(column B\) is empty, but every row needs its image\. Write the name of the image there/],
  ])('that names %j is refused, with column and remedy and without the name itself', (given, sentence) => {
    const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
    const row = rowOf(check, given)
    expect(row).toMatchObject({ recipient: null, issuanceKey: null })
    const [violation] = row.violations as { rule: string; column: string; row: number; sentence: string }[]
    expect(violation).toMatchObject({ rule: 'image', column: 'Photo', row: 7 })
    expect(violation?.sentence).toMatch(sentence)
    expect(violation?.sentence).not.toContain('nobody')
  })

  test.each([
    ['Photo', 'ada.png'],
    ['Photo', '17'],
    ['Foto', 'ada'],
    ['Passbild', 'x'],
    ['Photo of the person', 'photos/ada.JPG'],
    ['Photo URL', 'https://pictures.example/17'],
  ])('of a list that came without images is refused when its %s holds %j', (title, given) => {
    const check = openImageCheck(upload, aSource(null, ['Email', title]))
    expect(JSON.stringify(rowOf(check, given).violations)).toContain(
      'the file came without images. Send one ZIP that holds this file and the images that it names, or empty the column',
    )
    expect(check.travels).toBe(false)
  })

  test.each([
    ['Photo', ''],
    ['Photo consent', 'yes'],
    ['Photovoltaik', 'ja'],
    ['Fotografie', 'ja'],
    ['Ausbildung', 'Schweißer.'],
    ['Notes', 'ada.png'],
  ])('of such a list passes when its %s holds %j', (title, given) => {
    expect(rowOf(openImageCheck(upload, aSource(null, ['Email', title])), given)).toEqual(staged(7))
  })

  test('of such a list passes where the column fills a field of the course, and where the pipeline sends data', () => {
    const source = { kind: 'column' as const, index: 1, column: 'Photo', date: null }
    const plan = [{ field: courseFields[0] as Field, source }]
    expect(rowOf(openImageCheck(upload, aSource(null), plan), 'ada.png')).toEqual(staged(7))
    expect(rowOf(openImageCheck({ mode: 'json' }, aSource(null)), 'ada.png')).toEqual(staged(7))
  })

  test('of a list that came without images is refused where the pipeline names their column', () => {
    const named = rowOf(openImageCheck({ ...upload, imageColumn: 'photo' }, aSource(null)), 'ada.png')
    expect(JSON.stringify(named.violations)).toContain('the file came without images')
  })

  test('that is refused for something else keeps its own violations, and its image counts as named', () => {
    const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }))
    const bad = aBadRow(7)
    expect(check.row({ row: 7, cells: ['', 'ada.png'] }, bad)).toBe(bad)
    expect(check.notices()).toEqual([])
  })
})

describe('the column of the images', () => {
  test('must be in the file when the pipeline names it', () => {
    const open = () => openImageCheck({ ...upload, imageColumn: 'Portrait' }, aSource({}))
    expect(open).toThrow(PlanError)
    expect(open).toThrow('names the column “Portrait”, and the file has no such column. It has: Email, Photo.')
  })

  test('must be one: of two that may be meant the pipeline names the right one', () => {
    const source = aSource({ 'a.png': aPng('a') }, ['Email', 'Photo of you', 'Image of badge'])
    expect(() => openImageCheck(upload, source)).toThrow(
      'Photo of you, Image of badge. Name the right one as batch.imageColumn',
    )
    const check = openImageCheck({ ...upload, imageColumn: 'photo of you' }, source)
    expect(check.row({ row: 2, cells: ['x', 'a.png', ''] }, staged(2)).image).toBe('a.png')
  })

  test('is the one that is called so alone, beside others that say more', () => {
    const titles = ['Email', 'Photo', 'Photo consent', 'Image rights']
    const check = openImageCheck(upload, aSource({ 'ada.png': aPng('a') }, titles))
    const row = check.row({ row: 7, cells: ['a@x.example', 'ada.png', 'yes', 'no'] }, staged(7))
    expect(row).toMatchObject({ image: 'ada.png', violations: null })
  })

  test.each([['Photo,Picture'], ['Photo consent,Image rights']])('is asked for when %s may be meant', (titles) => {
    const source = aSource({ 'ada.png': aPng('a') }, ['Email', ...titles.split(',')])
    expect(() => openImageCheck(upload, source)).toThrow(/More than one column/)
  })
})

describe('images that nobody gets', () => {
  test('are counted and the first five named', () => {
    const names = ['1', '2', '3', '4', '5', '6', '7'].map((name) => `${name}.png`)
    const check = openImageCheck(upload, aSource(Object.fromEntries(names.map((name) => [name, aPng(name)]))))
    rowOf(check, '1.png')
    expect(check.notices()).toEqual([
      '6 images are named by no row and will not be sent: 2.png, 3.png, 4.png, 5.png, 6.png and 1 more.',
    ])
  })

  test('are named without what would move the cursor of a terminal', () => {
    const check = openImageCheck(upload, aSource({ 'a\u001b[2J.png': aPng('a') }))
    expect(check.notices()[0]).toContain('will not be sent: a?[2J.png.')
  })

  test('refuse the file when no column says whose they are: nobody is sent without their photo by an oversight', () => {
    const open = () => openImageCheck(upload, aSource({ 'a.png': aPng('a'), 'b.png': aPng('b') }, ['Email', 'Datei']))
    expect(open).toThrow(PlanError)
    expect(open).toThrow(
      '2 images came with the file, and no column says whose they are. Name the column that does as batch.imageColumn, or send the list without images. It has: Email, Datei.',
    )
    expect(openImageCheck(upload, aSource({}, ['Email'])).travels).toBe(false)
  })

  test.each(['Foto', 'Bild', 'Lichtbild', 'Portrait', 'Profile picture', 'Imagen'])(
    'are those of the column %s',
    (title) => {
      const check = openImageCheck(upload, aSource({ 'a.png': aPng('a') }, ['Email', title]))
      expect(rowOf(check, 'a.png').image).toBe('a.png')
    },
  )

  test('are said when the pipeline sends data', () => {
    const json = openImageCheck({ mode: 'json' }, aSource({ 'a.png': aPng('a') }))
    expect(rowOf(json, 'a.png')).toEqual(staged(7))
    expect(json.notices()[0]).toContain('this pipeline sends data only')
  })
})

describe('an image that two rows name', () => {
  const of = (row: number, person: string) => ({ ...staged(row), identityHash: Buffer.from(person) })
  const check = () => openImageCheck(upload, aSource({ 'a.png': aPng('a'), 'b.png': aPng('b') }))
  const named = (image: string) => ['a@x.example', image]

  test('is said when they are two people, with the first two rows', () => {
    const images = check()
    images.row({ row: 2, cells: named('a.png') }, of(2, 'ada'))
    for (const row of [3, 4]) images.row({ row, cells: named('A.PNG') }, of(row, `person ${row}`))
    images.row({ row: 5, cells: named('b.png') }, of(5, 'bob'))
    expect(images.notices()).toEqual([
      '1 image is named by more than one person, and each of them gets it: a.png (rows 2 and 3). Correct the list if that is not meant.',
    ])
  })

  test('is no matter when they are one person, or one of them is refused', () => {
    const images = check()
    for (const row of [2, 3]) images.row({ row, cells: named('a.png') }, of(row, 'ada'))
    images.row({ row: 4, cells: named('a.png') }, aBadRow(4))
    images.row({ row: 5, cells: named('b.png') }, of(5, 'bob'))
    expect(images.notices()).toEqual([])
  })
})

describe('an image that a row names', () => {
  test('travels as the kind that its content is', async () => {
    const check = openImageCheck(upload, aSource({ 'a.jpg': aPng('a'), 'b.png': aJpeg('b') }))
    expect(await check.read('a.jpg')).toEqual({ type: 'png', bytes: aPng('a') })
    expect(await check.read('b.png')).toEqual({ type: 'jpg', bytes: aJpeg('b') })
  })
})
