// What is removed from the text of a CSV before it is split into rows, and which text was not copied to its end.

import { describe, expect, test } from 'vitest'
import { dropMarks } from '#src/files/tables/csv/drop-byte-order-marks.ts'
import { readRefusal, readSource } from '#test/support/read-source.ts'

const list = 'Mail,Name\na@x.org,Ada\n'

describe('a byte order mark', () => {
  test('at the start of any row is no part of a cell, even before a quotation mark', async () => {
    const read = await readSource(`\ufeff${list}\ufeff"b@x.org",Bo\r\n\ufeff\ufeffc@x.org,Cy\n`)
    expect(read.cells).toEqual([
      ['a@x.org', 'Ada'],
      ['b@x.org', 'Bo'],
      ['c@x.org', 'Cy'],
    ])
  })

  test('is found wherever the text is split into chunks, and stays within a line', async () => {
    const text = Buffer.from('\ufeff\ufeffA\n\ufeff"ü\ufeff"\r\ufeff€\n')
    for (let size = 1; size <= text.length; size++) {
      let dropped = ''
      for await (const chunk of dropMarks(chunksOf(text, size))) dropped += chunk.toString('utf8')
      expect(dropped).toBe('A\n"ü\ufeff"\r€\n')
    }
  })
})

describe('a file that was not copied to its end', () => {
  test.each([
    ['a few zeros', Buffer.from(`${list}b@x.o\0\0`)],
    ['zeros in UTF-16', Buffer.from(`\ufeff${list}b@x.o\0\0\0`, 'utf16le')],
    ['zeros after an open quotation mark', Buffer.from(`${list}"b@x.o\0\0`)],
    ['more zeros than a row may have', Buffer.concat([Buffer.from(`${list}b@x.o`), Buffer.alloc(1_000_000)])],
  ])('is refused if it ends in %s', async (_, bytes) => {
    const refusal = await readRefusal(bytes)
    expect(refusal).toMatchObject({ code: 'damaged', sentence: expect.stringContaining('not copied to its end') })
  })

  test('is not suspected because of an end mark, which is ignored as the last byte only', async () => {
    expect((await readSource(`${list}b@x.org,"Bo"\x1a`)).cells[1]).toEqual(['b@x.org', 'Bo'])
    expect((await readSource(`${list}\x1a`)).cells).toHaveLength(1)
    expect((await readSource(`${list}b@x.org,B\x1ao\n`)).rows[1]?.problem?.rule).toBe('invalid-characters')
  })
})

async function* chunksOf(text: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < text.length; at += size) yield text.subarray(at, at + size)
}
