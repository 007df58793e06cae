// The advice to the owner of a file with fields or images that have no column in the upload sheet.

import { describe, expect, test } from 'vitest'
import { checkSheet, type FilledSheet, UploadSheetError } from '#src/issuing/upload/check-sheet.ts'

async function refusalOf(content: FilledSheet, columns = ['Email', 'Name']): Promise<string> {
  const cache = { sheetOf: async () => ({ columns, courseNumber: null, notice: null }) }
  const error = await checkSheet(cache, { mode: 'upload', imageColumn: undefined }, 'c', content).catch(
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(UploadSheetError)
  return (error as Error).message.split('\n').at(-1) ?? ''
}

describe('advice about a field without a column', () => {
  test('that the course requires does not suggest leaving it out', async () => {
    expect(await refusalOf({ fields: ['Email', 'Birth Date'], required: ['Email', 'Birth Date'], images: false })).toBe(
      'Ask the service to add the missing column to the template, or use batch.mode json. “Birth Date” cannot be left out, because the course requires it.',
    )
  })

  test('that is optional suggests removing it', async () => {
    expect(await refusalOf({ fields: ['Email', 'Phone'], required: ['Email'], images: false })).toBe(
      'Ask the service to add the missing column to the template, remove “Phone” from the file and from columns, or use batch.mode json.',
    )
  })

  test('for images does not suggest batch.mode json, which cannot send images', async () => {
    expect(await refusalOf({ fields: ['Email'], images: true })).toBe(
      'Ask the service to add the missing column to the template, or send the list without images, if its credentials show no images.',
    )
    expect(await refusalOf({ fields: ['Email', 'Phone', 'Birth Date'], required: ['Birth Date'], images: true })).toBe(
      'Ask the service to add the missing columns to the template. “Birth Date” cannot be left out, because the course requires it.',
    )
  })
})
