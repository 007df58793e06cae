// The refusal of a file with fields or images that have no column in the upload sheet.

import { expect, test } from 'vitest'
import { checkSheet, UploadSheetError } from '#src/issuing/upload/check-sheet.ts'

const cache = { sheetOf: async () => ({ columns: ['Email', 'Name'], courseNumber: null, notice: null }) }
const upload = { mode: 'upload', imageColumn: undefined } as const

test('it names each of them, and the ways out', async () => {
  const error = await checkSheet(cache, upload, 'c', { fields: ['Email', 'Phone'], images: true }).catch(
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(UploadSheetError)
  expect(error.faults).toEqual([
    expect.stringContaining('no column for the field “Phone”'),
    expect.stringContaining("no column for each person's image"),
  ])
  expect(error.message).toMatch(
    /Ask the service to add what is missing .*, or use batch\.mode json, which sends no images\.$/,
  )
})

test('there is none for a pipeline that sends data only', async () => {
  expect(await checkSheet(cache, { ...upload, mode: 'json' }, 'c', { fields: ['Phone'], images: false })).toEqual([])
})
