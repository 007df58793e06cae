// A file that has no place in the course's sheet, and what its owner is told to do.

import { describe, expect, test } from 'vitest'
import { checkSheet, type FilledSheet, UploadSheetError } from '#src/upload/check-sheet.ts'

async function refusalOf(content: FilledSheet, columns = ['Email', 'Name']): Promise<string> {
  const desk = { sheetOf: async () => ({ columns, courseNumber: null, notice: null }) }
  const error = await checkSheet(desk, { mode: 'upload', imageColumn: undefined }, 'c', content).catch(
    (thrown) => thrown,
  )
  expect(error).toBeInstanceOf(UploadSheetError)
  return (error as Error).message.split('\n').at(-1) ?? ''
}

describe('the advice about a field without a column', () => {
  test('that the course requires is never to leave it out', async () => {
    expect(await refusalOf({ fields: ['Email', 'Birth Date'], required: ['Email', 'Birth Date'], images: false })).toBe(
      'Ask the service to add it to the template, or use batch.mode json. “Birth Date” cannot be left out, because the course requires it.',
    )
  })

  test('that may be left out names it', async () => {
    expect(await refusalOf({ fields: ['Email', 'Phone'], required: ['Email'], images: false })).toBe(
      'Ask the service to add it to the template, take “Phone” out of the file and of columns, or use batch.mode json.',
    )
  })

  test('and about images does not offer to send data, which has no place for them either', async () => {
    expect(await refusalOf({ fields: ['Email'], images: true })).toBe(
      'Ask the service to add it to the template, or send the list without images, if its credentials show none.',
    )
    expect(await refusalOf({ fields: ['Email', 'Phone', 'Birth Date'], required: ['Birth Date'], images: true })).toBe(
      'Ask the service to add them to the template. “Birth Date” cannot be left out, because the course requires it.',
    )
  })
})
