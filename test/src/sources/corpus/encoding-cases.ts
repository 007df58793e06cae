// Sample files: how the letters of a CSV are written.

import type { CorpusCase } from './corpus-case.ts'
import { ake, both, header, peopleText, zoe } from './people.ts'

const mark = Buffer.from([0xef, 0xbb, 0xbf])
const utf8 = Buffer.from(peopleText())
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const swapped = (text: string) => utf16(text).swap16()
const latin = (text: string) => Buffer.from(text, 'latin1')
// Letters in three planes, so that one of them lies across the border of every chunk the file is read in.
const manyLetters = Array.from({ length: 9_000 }, (_, n) => [`Quennell ж 李😀${n}`, 'x'.repeat(n % 3)])
const manyText = ['Name,Mail', ...manyLetters.map((cells) => cells.join())].join('\n')
const fromAnother = /Windows-1252/

const refusedAs = (sentence: RegExp) => ({ refused: 'encoding', sentence }) as const
const declaredWrongly = refusedAs(/declared.*Correct file\.encoding of the pipeline/)
const broken = refusedAs(/does not stay so: it was cut off/)

export const encodingCases: CorpusCase[] = [
  { name: 'is UTF-8', build: () => utf8, expected: both },
  { name: 'is UTF-8 with a mark', build: () => Buffer.concat([mark, utf8]), expected: both },
  { name: 'is UTF-8 with two marks', build: () => Buffer.concat([mark, mark, utf8]), expected: both },
  { name: 'is UTF-16 with a mark', build: () => utf16(`\ufeff${peopleText()}`), expected: both },
  { name: 'is UTF-16 without a mark', build: () => utf16(peopleText()), expected: both },
  { name: 'is big-endian UTF-16 with a mark', build: () => swapped(`\ufeff${peopleText()}`), expected: both },
  { name: 'is big-endian UTF-16 without a mark', build: () => swapped(peopleText()), expected: both },
  {
    name: 'is what a spreadsheet calls Unicode text',
    file: 'results.txt',
    build: () => utf16(`\ufeff${peopleText('\t')}`),
    expected: both,
  },
  {
    name: 'is Windows-1252 and does not say so',
    build: () => latin(peopleText()),
    expected: { ...both, notices: [fromAnother] },
  },
  {
    name: 'is Windows-1252 in its last row only',
    build: () => latin(`Name,Mail\n${'Anna Quennell,x\n'.repeat(9_000)}J\xfcrgen,\x93Jo\x94 \x80`),
    expected: {
      header,
      rows: [...Array(9_000).fill(['Anna Quennell', 'x']), ['Jürgen', '“Jo” €']],
      notices: [fromAnother],
    },
  },
  {
    name: 'is declared as Windows-1252 and is',
    build: () => latin(peopleText()),
    options: { encoding: 'windows-1252' },
    expected: both,
  },
  {
    name: 'is declared as Windows-1250 and is',
    build: () => latin('Name,Mail\nJi\xf8\xed Quennell,x\n'),
    options: { encoding: 'windows-1250' },
    expected: { header, rows: [['Jiří Quennell', 'x']] },
  },
  {
    name: 'is ISO-8859-2 and does not say so',
    build: () => latin(`Name,Mail\n${'Anna Quennell,x\n'.repeat(9_000)}\xa3ukasz Wi\xb6niewski,x\n`),
    expected: refusedAs(
      /line 9002 has “£” where only letters stand.* Save it as UTF-8: in Excel.* in LibreOffice.* Or set file\.encoding/,
    ),
  },
  {
    name: 'is ISO-8859-2, and declared so',
    build: () => latin('Name,Mail\n\xa3ukasz Wi\xb6niewski,x\n'),
    options: { encoding: 'iso-8859-2' },
    expected: { header, rows: [['Łukasz Wiśniewski', 'x']] },
  },
  {
    name: 'is Windows-1250 and does not say so, without a sign among its letters',
    build: () => latin('Name,Mail\nNov\xe1k,x\nDvo\xf8\xe1kov\xe1,x\n'),
    expected: refusedAs(/line 3 has letters that do not belong together/),
  },
  {
    name: 'was written on a Macintosh and does not say so',
    build: () => latin('Name,Mail\nM\x9fller,x\nB\x8arbel,x\nJ\x9arg,x\n'),
    expected: refusedAs(/likely is macintosh/),
  },
  {
    name: 'is Windows-1251 and does not say so',
    build: () => latin('Name,Mail\n\xc8\xe2\xe0\xed,x\n\xc0\xed\xed\xe0,x\n\xcf\xe5\xf2\xf0\xee\xe2,x\n'),
    expected: refusedAs(/likely is windows-1251/),
  },
  {
    name: 'has a word that looks wrong among good ones, and does not say how it is written',
    build: () => latin('Name,Mail\nM\xfcller,x\nJ\xf6rg,y\nPawe\xb3,z\n'),
    expected: {
      header,
      rows: [
        ['Müller', 'x'],
        ['Jörg', 'y'],
        ['Pawe³', 'z'],
      ],
      problems: { 4: 'invalid-characters' },
      notices: [fromAnother],
    },
  },
  {
    name: 'holds a word that looks wrong, and is declared as Windows-1252',
    build: () => latin('Name,Mail\nA\xb6b,x\n'),
    options: { encoding: 'windows-1252' },
    expected: { header, rows: [['A¶b', 'x']] },
  },
  {
    name: 'is declared as UTF-16 and is',
    build: () => utf16(peopleText()),
    options: { encoding: 'utf-16' },
    expected: both,
  },
  {
    name: 'is declared as UTF-16 and is big-endian, as its mark says',
    build: () => swapped(`\ufeff${peopleText()}`),
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
    name: 'is declared as UTF-8 and is UTF-16',
    build: () => utf16(peopleText()),
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
    name: 'is declared as Windows-1252 and has the mark of UTF-8, as the invalid rows that come back',
    build: () => Buffer.concat([mark, utf8]),
    options: { encoding: 'windows-1252' },
    expected: both,
  },
  {
    name: 'is declared as UTF-16 and is UTF-8',
    build: () => 'Name,Mail\nA Quennell,bc\n',
    options: { encoding: 'utf-16le' },
    expected: declaredWrongly,
  },
  {
    name: 'is declared as UTF-16 of the other order',
    build: () => utf16(peopleText()),
    options: { encoding: 'utf-16be' },
    expected: declaredWrongly,
  },
  {
    name: 'is declared as what nobody knows',
    build: () => utf8,
    options: { encoding: 'klingon' },
    expected: refusedAs(/"klingon" is not known/),
  },
  { name: 'is UTF-8 with a damaged letter', build: () => Buffer.concat([utf8, latin('\xff,x\n')]), expected: broken },
  {
    name: 'is UTF-8 cut inside of a letter',
    build: () => utf8.subarray(0, utf8.lastIndexOf(0xc3) + 1),
    expected: broken,
  },
  { name: 'is UTF-16 cut inside of a letter', build: () => utf16(peopleText()).subarray(0, 61), expected: broken },
  {
    name: 'is UTF-16 with half of a surrogate pair',
    build: () => utf16(`${peopleText()}\ud83d,x\n`),
    expected: broken,
  },
  {
    name: 'is UTF-8 with half of a surrogate pair',
    build: () => Buffer.concat([utf8, latin('\xed\xa0\xbd,x\n')]),
    expected: refusedAs(/Some letters of the file are UTF-8 and most are not/),
  },
  {
    name: 'is UTF-32, which nobody writes',
    build: () =>
      Buffer.concat(
        [...'\ufeffName,Mail\n'].map((letter) =>
          Buffer.from([letter.charCodeAt(0) & 255, letter.charCodeAt(0) >> 8, 0, 0]),
        ),
      ),
    expected: { refused: 'header-characters', sentence: /Check the encoding/ },
  },
  {
    name: 'has letters of two to four bytes at every border of a chunk',
    build: () => manyText,
    expected: { header, rows: manyLetters },
  },
  {
    name: 'has such letters in UTF-16',
    build: () => utf16(`\ufeff${manyText}`),
    expected: { header, rows: manyLetters },
  },
  {
    name: 'has NULs on one side and is no UTF-16',
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
    name: 'was put together from two, each with a mark',
    build: () => Buffer.concat([mark, Buffer.from(`Name,Mail\n${zoe}\n`), mark, Buffer.from(`Name,Mail\n${ake}\n`)]),
    expected: { header, rows: [zoe, ['\ufeffName', 'Mail'], ake] },
  },
]
