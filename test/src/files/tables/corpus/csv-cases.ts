// Sample files: CSVs of all shapes, with different delimiters, line ends, quotation marks and headers.

import type { CorpusCase } from './corpus-case.ts'
import { ake, both, header, peopleText, underHeader, zoe } from './people.ts'

const noRows = [/a header and no rows/]

export const csvCases: CorpusCase[] = [
  { name: 'has commas', build: () => peopleText(','), expected: both },
  { name: 'has semicolons', build: () => peopleText(';'), expected: both },
  { name: 'has tabs', file: 'results.tsv', build: () => peopleText('\t'), expected: both },
  { name: 'has vertical bars', build: () => peopleText('|'), expected: both },
  {
    name: 'has another delimiter, which is configured',
    build: () => peopleText('~'),
    options: { delimiter: '~' },
    expected: both,
  },
  { name: 'announces its delimiter', build: () => `sep=;\r\n${peopleText(';')}`, expected: both },
  {
    name: 'has semicolons, and commas in every row',
    build: () => 'Name;Mail\n"Q; a";1,5\nb,c;2,5\n',
    expected: {
      header,
      rows: [
        ['Q; a', '1,5'],
        ['b,c', '2,5'],
      ],
    },
  },
  {
    name: 'has commas although another delimiter is configured, as a resubmitted invalid-rows file',
    build: () => peopleText(),
    options: { delimiter: ';' },
    expected: { ...both, notices: [/separator that file\.delimiter names/] },
  },
  {
    name: 'has a configured delimiter that is not one character',
    build: () => peopleText(),
    options: { delimiter: '""' },
    expected: { refused: 'delimiter', sentence: /one character/ },
  },
  { name: 'ends its lines with LF', build: () => peopleText(',', '\n'), expected: both },
  { name: 'ends its lines with CR', build: () => peopleText(',', '\r'), expected: both },
  { name: 'ends its lines with CR CR LF', build: () => peopleText(',', '\r\r\n'), expected: both },
  {
    name: 'has quotation marks inside cells',
    build: () => underHeader('5" nail,x', 'a "b" c,2'),
    expected: {
      header,
      rows: [
        ['5" nail', 'x'],
        ['a "b" c', '2'],
      ],
    },
  },
  {
    name: 'has a quotation mark that swallows the rows below it, and the right number of cells',
    build: () => underHeader('"Anna,x', 'Bob Quennell,y', '"Eva",z', 'Uwe,4'),
    expected: {
      header,
      rows: [
        ['"Anna,x\nBob Quennell,y\n"Eva"', 'z'],
        ['Uwe', '4'],
      ],
      problems: { 2: 'ragged-row' },
    },
  },
  {
    name: 'has a quotation mark that is never closed',
    build: () => underHeader('a,1', '"Quennell,2', 'c,3'),
    expected: { refused: 'quote-not-closed', sentence: /row 3 / },
  },
  {
    name: 'has too few cells in a row',
    build: () => underHeader('a,1', 'b', 'c,3'),
    expected: {
      header,
      rows: [
        ['a', '1'],
        ['b', ''],
        ['c', '3'],
      ],
      problems: { 3: 'ragged-row' },
    },
  },
  {
    name: 'has too many cells in a row',
    build: () => underHeader('a,1,x', 'b,2,,'),
    expected: {
      header,
      rows: [
        ['a', '1', 'x'],
        ['b', '2'],
      ],
      problems: { 2: 'ragged-row' },
    },
  },
  {
    name: 'has a column name twice',
    build: () => 'Name,Mail,Name\na,b,c\n',
    expected: { refused: 'header-duplicate', sentence: /Columns A and C/ },
  },
  {
    name: 'has a column name twice, once with a decomposed accent',
    build: () => 'Prénom,Pre\u0301nom\na,b\n',
    expected: { refused: 'header-duplicate', sentence: /Columns A and B/ },
  },
  {
    name: 'has a column without a name',
    build: () => 'Name,,Mail\na,b,c\n',
    expected: { refused: 'header-empty', sentence: /Column B has no name in row 1/ },
  },
  {
    name: 'has no header',
    build: () => `${zoe}\n${ake}\n`,
    expected: { refused: 'header-missing', sentence: /row 1\) contains an e-mail address/ },
  },
  {
    name: 'has control characters in its header',
    build: () => 'Na\x07me,Mail\na,b\n',
    expected: { refused: 'header-characters', sentence: /column A in row 1/ },
  },
  { name: 'has only a header', build: () => 'Name,Mail\n', expected: { header, rows: [], notices: noRows } },
  {
    name: 'has only a header and blank lines',
    build: () => 'Name,Mail\n\n , \n,,,\n',
    expected: { header, rows: [], notices: noRows },
  },
  { name: 'is empty', build: () => '', expected: { refused: 'empty', sentence: /is empty/ } },
  {
    name: 'has only a byte order mark',
    build: () => '\ufeff',
    expected: { refused: 'header-missing', sentence: /no filled row/ },
  },
  {
    name: 'has only blank lines',
    build: () => '\n\r\n , \n\t\n',
    expected: { refused: 'header-missing', sentence: /no filled row/ },
  },
  {
    name: 'has blank lines above and between',
    build: () => `\n\n${peopleText().replaceAll('\r\n', '\r\n\r\n')}`,
    expected: both,
  },
  {
    name: 'has empty rows and columns at its end',
    build: () => 'Name,Mail,,\na,1,,\n,,,\n,,,\n',
    expected: { header, rows: [['a', '1']] },
  },
  {
    name: 'has one column',
    build: () => 'Name\na\n\n"b, c"\n',
    expected: { header: ['Name'], rows: [['a'], ['b, c']] },
  },
  {
    name: 'has names that are also properties of objects',
    build: () => '__proto__,constructor\n1,2\n',
    expected: { header: ['__proto__', 'constructor'], rows: [['1', '2']] },
  },
  {
    name: 'has an emoji of many code points and combining letters',
    build: () => underHeader('👩‍👩‍👧 Quennell,می‌خواهم'),
    expected: { header, rows: [['👩‍👩‍👧 Quennell', 'می‌خواهم']] },
  },
]
