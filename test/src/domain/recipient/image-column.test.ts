// Which columns may name images, and which values do.

import { expect, test } from 'vitest'
import { imageColumns, likelyImageColumns, namesImage } from '#src/domain/recipient/image-column.ts'

test('columns that may name images are found by their names', () => {
  expect(imageColumns(['Fotograf', 'Fotografie', 'Photovoltaics', 'Photo rights', 'Passbild'])).toEqual([3, 4])
  expect(likelyImageColumns(['Photo', 'Class photo'])).toEqual([0])
  expect(likelyImageColumns(['Class photo', 'Photo rights'])).toEqual([0, 1])
})

test.each<[string, string, boolean]>([
  ['Photo', 'yes', true],
  ['Photo', '', false],
  ['Class photo', 'yes', false],
  ['Class photo', 'http://files.example/1', true],
  ['Class photo', 'https://files.example/1', true],
  ['Class photo', 'see https://files.example/1', false],
  ['Class photo', 'ada.tif', true],
  ['Class photo', 'ada.tiff', true],
])('in the column %s, %j names an image: %j', (title, value, expected) => {
  expect(namesImage(title, value)).toBe(expected)
})
