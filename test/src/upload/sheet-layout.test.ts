import { describe, expect, test } from 'vitest'
import { layOut, type SheetContent } from '#src/upload/sheet-layout.ts'
import { sheetRows } from '#src/upload/sheet-rows.ts'

const content = (more: Partial<SheetContent> = {}): SheetContent => ({
  fields: ['Email', 'First Name'],
  images: null,
  courseNumber: null,
  ...more,
})

describe('the layout of a sheet', () => {
  test('follows the columns and the order of the sample, whatever case, spaces and asterisk it has', () => {
    const { layout, faults } = layOut(['FIRST_NAME *', 'Salutation', 'e mail*'], content())
    expect(faults).toEqual([])
    expect(sheetRows(layout, [{ Email: 'a@x.example', 'First Name': 'Ada' }, { Email: 'b@x.example' }], [])).toEqual([
      ['FIRST_NAME *', 'Salutation', 'e mail*'],
      ['Ada', '', 'a@x.example'],
      ['', '', 'b@x.example'],
    ])
  })

  test('names a field that has no column, and the columns there are', () => {
    const { faults } = layOut(['Email', 'Name'], content())
    expect(faults).toEqual([
      'The sample sheet of the course has no column for the field “First Name”. It has: Email, Name.',
    ])
  })

  test('takes no guess between two columns, unless one has exactly the name', () => {
    expect(layOut(['Email', 'first name', 'First_Name'], content()).faults).toEqual([
      'The sample sheet of the course has more than one column for the field “First Name”: first name, First_Name.',
    ])
    expect(layOut(['Email', 'first name', 'First Name'], content()).layout.fields.get('First Name')).toBe(2)
  })

  test.each([
    ['the column that the pipeline names', ['Email', 'First Name', 'Portrait', 'Image'], 'portrait', 2],
    ['the one about images, when the sheet has none of that name', ['Photo *', 'Email', 'First Name'], 'portrait', 0],
    ['the one about images, without a wish', ['Email', 'First Name', 'Recipient_Image'], undefined, 2],
  ])('puts images into %s', (_what, columns, column, at) => {
    const { layout, faults } = layOut(columns, content({ images: { column } }))
    expect(faults).toEqual([])
    expect(sheetRows(layout, [{ Email: 'a@x.example' }], ['1.png'])[1]?.[at]).toBe('1.png')
  })

  test('refuses images that have no column, or two', () => {
    const images = {}
    expect(layOut(['Email', 'First Name'], content({ images })).faults[0]).toContain(
      "no column for each person's image",
    )
    const two = layOut(['Email', 'First Name', 'Photo', 'Image'], content({ images }))
    expect(two.faults[0]).toContain("more than one column for each person's image: Photo, Image")
  })

  test('fills the number of the course where the sheet asks for it, unless that is a field', () => {
    const columns = ['Course Number *', 'Email', 'First Name']
    const { layout, unfilled } = layOut(columns, content({ courseNumber: 'WELD-1' }))
    expect(sheetRows(layout, [{ Email: 'a@x.example' }], [])[1]).toEqual(['WELD-1', 'a@x.example', ''])
    expect(unfilled).toEqual([])
    const fields = ['Email', 'First Name', 'Course Number']
    expect(layOut(columns, content({ fields, courseNumber: 'WELD-1' })).layout.courseNumber).toBeNull()
  })

  test('says which columns are marked as required and stay empty', () => {
    expect(layOut(['Email *', 'First Name', 'Branch *', 'Other'], content()).unfilled).toEqual(['Branch *'])
  })
})
