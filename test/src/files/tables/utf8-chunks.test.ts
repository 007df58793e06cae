// UTF-8 is recognized wherever it is split into chunks.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { areUtf8, endOfWholeCharacters } from '#src/files/tables/utf8-chunks.ts'

async function* cut(bytes: Buffer, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const letters = fc.string({ unit: fc.constantFrom('a', 'é', '李', '😀', '\n') })

test('text in chunks of any size is UTF-8', async () => {
  const property = fc.asyncProperty(letters, fc.integer({ min: 1, max: 5 }), async (text, size) => {
    expect(await areUtf8(cut(Buffer.from(text), size))).toBe(true)
  })
  await fc.assert(property)
})

test('any bytes in chunks of any size are UTF-8 if a decoder accepts them', async () => {
  const byte = fc.constantFrom(0x41, 0x80, 0xbf, 0xc0, 0xc3, 0xa9, 0xe0, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0xf5)
  const property = fc.asyncProperty(fc.array(byte), fc.integer({ min: 1, max: 5 }), async (bytes, size) => {
    expect(await areUtf8(cut(Buffer.from(bytes), size))).toBe(decodes(Buffer.from(bytes)))
  })
  await fc.assert(property, { numRuns: 500 })
})

test.each([
  ['nothing', [], 0],
  ['ASCII', [0x41, 0x42], 2],
  ['a complete letter of two bytes', [0x41, 0xc3, 0xa9], 3],
  ['half a letter of two bytes', [0x41, 0xc3], 1],
  ['two thirds of a letter', [0x41, 0xe2, 0x82], 1],
  ['three quarters of a letter', [0xf0, 0x9f, 0x98], 0],
])('the end of the complete characters is found in %s', (_, bytes, end) => {
  expect(endOfWholeCharacters(Buffer.from(bytes))).toBe(end)
})

function decodes(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}
