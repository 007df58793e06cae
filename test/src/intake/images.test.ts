// Rows and the images that they name, before anything reaches the ledger.

import { describe, expect, test } from 'vitest'
import { openImageCheck } from '#src/intake/images.ts'
import { PlanError } from '#src/intake/row-check.ts'
import type { StagedRow } from '#src/ledger/intake.ts'
import { readImageKind } from '#src/sources/archive/image-kind.ts'
import type { Source } from '#src/sources/source.ts'
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
  test.each(['ada.png', 'ADA.PNG', 'photos/ada.png', 'photos\\ada.png', ' ada.png '])(
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

  test('of a list that came without images is refused where the pipeline names their column, and passes where it does not', () => {
    const named = rowOf(openImageCheck({ ...upload, imageColumn: 'photo' }, aSource(null)), 'ada.png')
    expect(JSON.stringify(named.violations)).toContain('the file came without images')
    expect(rowOf(openImageCheck(upload, aSource(null)), 'ada.png')).toEqual(staged(7))
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
    const source = aSource({ 'a.png': aPng('a') }, ['Email', 'Photo', 'Image of badge'])
    expect(() => openImageCheck(upload, source)).toThrow(
      'Photo, Image of badge. Name the right one as batch.imageColumn',
    )
    const check = openImageCheck({ ...upload, imageColumn: 'photo' }, source)
    expect(check.row({ row: 2, cells: ['x', 'a.png', ''] }, staged(2)).image).toBe('a.png')
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

  test('are said when no column names them, and when the pipeline sends data', () => {
    const without = openImageCheck(upload, aSource({ 'a.png': aPng('a') }, ['Email']))
    expect(without.row({ row: 2, cells: ['x'] }, staged(2))).toEqual(staged(2))
    expect(without.notices()[0]).toContain('1 image is in the ZIP and will not be sent: no column names them')
    const json = openImageCheck({ mode: 'json' }, aSource({ 'a.png': aPng('a') }))
    expect(rowOf(json, 'a.png')).toEqual(staged(7))
    expect(json.notices()[0]).toContain('this pipeline sends data only')
  })
})

describe('an image that a row names', () => {
  test('travels as the kind that its content is', async () => {
    const check = openImageCheck(upload, aSource({ 'a.jpg': aPng('a'), 'b.png': aJpeg('b') }))
    expect(await check.read('a.jpg')).toEqual({ type: 'png', bytes: aPng('a') })
    expect(await check.read('b.png')).toEqual({ type: 'jpg', bytes: aJpeg('b') })
  })
})
