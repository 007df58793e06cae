// Tables for people, aligned by terminal width.

import { describe, expect, test } from 'vitest'
import { tableLines } from '#src/cli/text/table.ts'
import { cutToWidth, displayWidth } from '#src/cli/text/terminal-text.ts'
import { oneLine } from '#src/platform/one-line.ts'

describe('the width of a text', () => {
  test.each<[string, number]>([
    ['Ada', 3],
    ['Zoë', 3],
    ['Zoe\u0308', 3],
    ['日本', 4],
    ['ﾊﾝ', 2],
    ['👩‍🔬', 2],
    ['❤️', 2],
    ['\u200d', 0],
    ['', 0],
  ])('%j is %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  test.each<[string, number, string]>([
    ['Lovelace', 8, 'Lovelace'],
    ['Lovelace', 5, 'Love…'],
    ['日本語の名前', 6, '日本…'],
    ['Zoe\u0308 K', 4, 'Zoe\u0308…'],
  ])('%j is cut to %i as %j', (text, columns, cut) => {
    expect(cutToWidth(text, columns)).toBe(cut)
    expect(displayWidth(cutToWidth(text, columns))).toBeLessThanOrEqual(columns)
  })

  test('is not distorted by control characters and direction marks, because oneLine turns them into spaces', () => {
    expect(oneLine('a\u001b[31mb\r\nc\u202ed\u2028e')).toBe('a [31mb c d e')
  })
})

describe('a table', () => {
  const columns = [{ title: 'id', whole: true }, { title: 'name' }, { title: 'note' }]
  const rows = [
    ['0123456789', '名前', ''],
    ['1', 'somebody with quite a long name', ''],
  ]

  test('is aligned, omits empty columns, and is not cut without a terminal', () => {
    expect(tableLines(columns, rows, null)).toEqual([
      'id          name',
      '0123456789  名前',
      '1           somebody with quite a long name',
    ])
  })

  test('is cut to the terminal’s width, but ids are not', () => {
    const lines = tableLines(columns, rows, 24)
    expect(lines[2]).toBe('1           somebody wi…')
    expect(tableLines(columns, rows, 5).map((line) => line.slice(0, 10))[1]).toBe('0123456789')
  })

  test('formats ten thousand rows quickly', () => {
    const many = Array.from({ length: 10_000 }, (_, n) => [`${n}`, 'ä'.repeat(n % 200), 'x'])
    expect(tableLines(columns, many, 80).every((line) => displayWidth(line) <= 80)).toBe(true)
  })
})
