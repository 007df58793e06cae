// Assigning values to the columns of an upload sheet.

import { describe, expect, test } from 'vitest'
import { sheetRows } from '#src/issuing/upload/prepare-batch.ts'
import { layOut, type SheetContent } from '#src/issuing/upload/sheet-layout.ts'

const content = (more: Partial<SheetContent> = {}): SheetContent => ({
  fields: ['Email', 'First Name'],
  images: null,
  courseNumber: null,
  ...more,
})

describe('the layout of a sheet', () => {
  test('follows the columns and order of the sample, regardless of case, spaces and asterisks', () => {
    const { layout, faults } = layOut(['FIRST_NAME *', 'Salutation', 'e mail*'], content())
    expect(faults).toEqual([])
    expect(sheetRows(layout, [{ Email: 'a@x.example', 'First Name': 'Ada' }, { Email: 'b@x.example' }], [])).toEqual([
      ['FIRST_NAME *', 'Salutation', 'e mail*'],
      ['Ada', '', 'a@x.example'],
      ['', '', 'b@x.example'],
    ])
  })

  test('reports a field without a column, and lists the existing columns', () => {
    const { faults } = layOut(['Email', 'Name'], content())
    expect(faults).toEqual([
      'The sample sheet of the course has no column for the field “First Name”. It has: Email, Name.',
    ])
  })

  test('reports two matching columns, unless one of them has exactly the name of the field', () => {
    expect(layOut(['Email', 'first name', 'First_Name'], content()).faults).toEqual([
      'The sample sheet of the course has more than one column for the field “First Name”: first name, First_Name.',
    ])
    expect(layOut(['Email', 'first name', 'First Name'], content()).layout.fields.get('First Name')).toBe(2)
  })

  test.each([
    ['the column that the pipeline names', ['Email', 'First Name', 'Portrait', 'Image'], 'portrait', 2],
    [
      'the column about images if the sheet has no column of that name',
      ['Photo *', 'Email', 'First Name'],
      'portrait',
      0,
    ],
    ['the column about images if the pipeline names none', ['Email', 'First Name', 'Recipient_Image'], undefined, 2],
  ])('puts images into %s', (_what, columns, column, at) => {
    const { layout, faults } = layOut(columns, content({ images: { column } }))
    expect(faults).toEqual([])
    expect(sheetRows(layout, [{ Email: 'a@x.example' }], ['1.png'])[1]?.[at]).toBe('1.png')
  })

  test('reports images that have no column or two columns', () => {
    const images = {}
    expect(layOut(['Email', 'First Name'], content({ images })).faults[0]).toContain(
      "no column for each person's image",
    )
    const two = layOut(['Email', 'First Name', 'Photo', 'Image'], content({ images }))
    expect(two.faults[0]).toContain("more than one column for each person's image: Photo, Image")
  })

  test('fills the course number if the sheet has a column for it, unless the column belongs to a field', () => {
    const columns = ['Course Number *', 'Email', 'First Name']
    const { layout } = layOut(columns, content({ courseNumber: 'WELD-1' }))
    expect(sheetRows(layout, [{ Email: 'a@x.example' }], [])[1]).toEqual(['WELD-1', 'a@x.example', ''])
    const fields = ['Email', 'First Name', 'Course Number']
    expect(layOut(columns, content({ fields, courseNumber: 'WELD-1' })).layout.courseNumber).toBeNull()
  })
})
