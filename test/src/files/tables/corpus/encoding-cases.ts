// Sample files: CSVs in different encodings, declared or not.

import type { CorpusCase } from './corpus-case.ts'
import { ake, both, header, peopleText, zoe } from './people.ts'

const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf])
const utf8 = Buffer.from(peopleText())
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const bigEndian = (text: string) => utf16(text).swap16()
const latin = (text: string) => Buffer.from(text, 'latin1')
// Letters of two to four bytes, so that one of them crosses the boundary of every chunk.
const manyLetters = Array.from({ length: 9_000 }, (_, n) => [`Quennell ж 李😀${n}`, 'x'.repeat(n % 3)])
const manyText = ['Name,Mail', ...manyLetters.map((cells) => cells.join())].join('\n')

const refusedAs = (sentence: RegExp) => ({ refused: 'encoding', sentence }) as const
const declaredWrongly = refusedAs(/declared.*Correct file\.encoding of the pipeline/)
const broken = refusedAs(/does not continue as such: it was cut off/)

export const encodingCases: CorpusCase[] = [
  { name: 'is UTF-8', build: () => utf8, expected: both },
  { name: 'is UTF-8 with a byte order mark', build: () => Buffer.concat([byteOrderMark, utf8]), expected: both },
  {
    name: 'is UTF-8 with two byte order marks',
    build: () => Buffer.concat([byteOrderMark, byteOrderMark, utf8]),
    expected: both,
  },
  { name: 'is UTF-16 with a byte order mark', build: () => utf16(`\ufeff${peopleText()}`), expected: both },
  { name: 'is UTF-16 without a byte order mark', build: () => utf16(peopleText()), expected: both },
  {
    name: 'is big-endian UTF-16 with a byte order mark',
    build: () => bigEndian(`\ufeff${peopleText()}`),
    expected: both,
  },
  { name: 'is big-endian UTF-16 without a byte order mark', build: () => bigEndian(peopleText()), expected: both },
  {
    name: 'is what a spreadsheet program calls Unicode text',
    file: 'results.txt',
    build: () => utf16(`\ufeff${peopleText('\t')}`),
    expected: both,
  },
  {
    name: 'is Windows-1252 without a declaration',
    build: () => latin(peopleText()),
    expected: refusedAs(
      /^The file is neither UTF-8 nor UTF-16, but probably windows-1252: see line 2, which has “…ë…” in windows-1252\. .*not guessed\. Save it as UTF-8: in Excel .* in LibreOffice .* Or set file\.encoding of the pipeline to windows-1252, if that is right\.$/,
    ),
  },
  {
    name: 'is Windows-1252 in its last row only',
    build: () => latin(`Name,Mail\n${'Anna Quennell,x\n'.repeat(9_000)}J\xfcrgen,\x93Jo\x94 \x80`),
    expected: refusedAs(/see line 9002/),
  },
  {
    name: 'is correctly declared as Windows-1252',
    build: () => latin(peopleText()),
    options: { encoding: 'windows-1252' },
    expected: both,
  },
  {
    name: 'is correctly declared as Windows-1250',
    build: () => latin('Name,Mail\nJi\xf8\xed Quennell,x\n'),
    options: { encoding: 'windows-1250' },
    expected: { header, rows: [['Jiří Quennell', 'x']] },
  },
  {
    name: 'is in no encoding that a language would explain',
    build: () => latin('Name,Mail\nAnna,x\rM\x81ller,x\r\nJ\x94rg,x\n'),
    expected: refusedAs(/^The file is neither UTF-8 nor UTF-16: see line 3\. .*to the actual encoding\.$/),
  },
  {
    name: 'consists of a long line with a letter that is not UTF-8',
    build: () => latin(`Name,Mail\n${'x'.repeat(200_000)},Ren\xe9e\n`),
    expected: refusedAs(/see line 2, which has “…é…”/),
  },
  {
    name: 'is correctly declared as UTF-16',
    build: () => utf16(peopleText()),
    options: { encoding: 'utf-16' },
    expected: both,
  },
  {
    name: 'is declared as UTF-16 and is big-endian according to its byte order mark',
    build: () => bigEndian(`\ufeff${peopleText()}`),
    options: { encoding: 'UTF-16' },
    expected: both,
  },
  {
    name: 'is ASCII and declared as Windows-1252',
    build: () => 'Name,Mail\nA,b\n',
    options: { encoding: 'windows-1252' },
    expected: { header, rows: [['A', 'b']] },
  },
  {
    name: 'is declared as UTF-8 and is Windows-1252',
    build: () => latin(peopleText()),
    options: { encoding: 'utf-8' },
    expected: declaredWrongly,
  },
  {
    name: 'is declared as Windows-1252 and is UTF-8',
    build: () => utf8,
    options: { encoding: 'windows-1252' },
    expected: declaredWrongly,
  },
  {
    name: 'is declared as Windows-1252 and has the byte order mark of UTF-8, as a resubmitted invalid-rows file',
    build: () => Buffer.concat([byteOrderMark, utf8]),
    options: { encoding: 'windows-1252' },
    expected: both,
  },
  {
    name: 'is declared as UTF-16 with the wrong byte order',
    build: () => utf16(peopleText()),
    options: { encoding: 'utf-16be' },
    expected: declaredWrongly,
  },
  {
    name: 'is declared with an unknown encoding',
    build: () => utf8,
    options: { encoding: 'klingon' },
    expected: refusedAs(/"klingon" is not known/),
  },
  { name: 'is UTF-8 with a damaged letter', build: () => Buffer.concat([utf8, latin('\xff,x\n')]), expected: broken },
  {
    name: 'is UTF-8 that ends inside a letter',
    build: () => utf8.subarray(0, utf8.lastIndexOf(0xc3) + 1),
    expected: broken,
  },
  { name: 'is UTF-16 that ends inside a letter', build: () => utf16(peopleText()).subarray(0, 61), expected: broken },
  {
    name: 'is UTF-16 with half of a surrogate pair',
    build: () => utf16(`${peopleText()}\ud83d,x\n`),
    expected: broken,
  },
  {
    name: 'is UTF-8 with half of a surrogate pair',
    build: () => Buffer.concat([utf8, latin('\xed\xa0\xbd,x\n')]),
    expected: refusedAs(/neither UTF-8 nor UTF-16/),
  },
  {
    name: 'has letters of two to four bytes at every chunk boundary',
    build: () => manyText,
    expected: { header, rows: manyLetters },
  },
  {
    name: 'has letters of two or four bytes at every chunk boundary, in UTF-16',
    build: () => utf16(`\ufeff${manyText}`),
    expected: { header, rows: manyLetters },
  },
  {
    name: 'has a few NULs although it is not UTF-16',
    build: () => 'Name,Mail\nZo\0,x3\nAk\0,4\n',
    expected: {
      header,
      rows: [
        ['Zo\ufffd', 'x3'],
        ['Ak\ufffd', '4'],
      ],
      problems: { 2: 'invalid-characters', 3: 'invalid-characters' },
    },
  },
  {
    name: 'was combined from two files, each with a byte order mark',
    build: () =>
      Buffer.concat([
        byteOrderMark,
        Buffer.from(`Name,Mail\n${zoe}\n`),
        byteOrderMark,
        Buffer.from(`Name,Mail\n${ake}\n`),
      ]),
    expected: { refused: 'second-table', sentence: /Row 3 / },
  },
]
