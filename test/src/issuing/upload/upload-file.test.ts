// The file of an upload, read back with the reader for source files.

import { createHash } from 'node:crypto'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { openSource } from '#src/files/tables/open-source.ts'
import { type BatchImage, uploadFile } from '#src/issuing/upload/prepare-batch.ts'
import { layOut } from '#src/issuing/upload/sheet-layout.ts'
import { aJpeg, aPng } from '#test/support/portraits.ts'
import { readSource, withFile } from '#test/support/read-source.ts'

const fields = ['Email', 'First Name', 'Register Number', 'Birth Date']
const columns = [...fields, 'Photo']
const plain = layOut(columns, { fields, images: null, courseNumber: null }).layout
const illustrated = layOut(columns, { fields, images: {}, courseNumber: null }).layout
const people = [
  { Email: 'a@x.example', 'First Name': '=Zoë 🎓', 'Register Number': '000123', 'Birth Date': '1990-12-31' },
  { Email: 'b@x.example', 'First Name': '_x0041_', 'Register Number': '+49', 'Birth Date': '' },
]

function image(bytes: Buffer, type: 'jpg' | 'png'): BatchImage {
  return { sha256: createHash('sha256').update(bytes).digest('hex'), type, bytes }
}
const png = image(aPng('one'), 'png')
const jpg = image(aJpeg('two'), 'jpg')

describe('the file of an upload', () => {
  test('is a workbook if there are no images, and every value is read back as the same text', async () => {
    const file = await uploadFile(plain, people, [null, null])
    expect(file).toMatchObject({ name: 'recipients.xlsx', contentType: expect.stringContaining('spreadsheetml') })
    const { header, cells, format } = await readSource(file.bytes)
    expect({ header, format }).toEqual({ header: columns, format: 'xlsx' })
    expect(cells).toEqual(people.map((person) => [...Object.values(person), '']))
  })

  test('is a ZIP with a workbook and exactly the images that its rows name', async () => {
    const file = await uploadFile(illustrated, [...people, ...people.slice(0, 1)], [png, jpg, png])
    expect(file).toMatchObject({ name: 'recipients.zip', contentType: 'application/zip' })
    await withFile(file.bytes, async (path) => {
      await using source = await openSource(path)
      const named: string[] = []
      for await (const rows of source.batches()) named.push(...rows.map(({ cells }) => cells[4] ?? ''))
      expect(named).toEqual([`${png.sha256.slice(0, 32)}.png`, `${jpg.sha256.slice(0, 32)}.jpg`, named[0]])
      expect(source.images?.list.map(({ name }) => name).toSorted()).toEqual(named.slice(0, 2).toSorted())
      expect(await source.images?.read(named[1] ?? '')).toEqual(jpg.bytes)
      expect(source.notices).toEqual([])
    })
  })

  test('has the same bytes each time it is created', async () => {
    const make = async () => [
      (await uploadFile(plain, people, [null, null])).bytes,
      (await uploadFile(illustrated, people, [png, jpg])).bytes,
    ]
    const first = await make()
    // Only the date is faked, which shows whether the file depends on it.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 })
    onTestFinished(() => void vi.useRealTimers())
    expect(await make()).toEqual(first)
  })
})
