// Sample files: workbooks that differ in the content of one cell.

import type { CorpusCase } from './corpus-case.ts'
import { header } from './people.ts'
import { cellCase, headerRow, numberCase, peopleBook, styles } from './sheets.ts'

const inline = (inside: string) => `<c t="inlineStr"><is>${inside}</is></c>`
const year1904 = { workbook: '<workbookPr date1904="1"/><sheets><sheet name="S" r:id="s1"/></sheets>' }
const shared = (inside: string) => ({ sharedStrings: `<si><t>no</t></si><si>${inside}</si>` })

export const cellCases: CorpusCase[] = [
  numberCase('a date', 45_352, 14, '2024-03-01', 'date'),
  numberCase('a date and time', 45_352.5, 22, '2024-03-01T12:00:00', 'date'),
  numberCase('a date just before midnight', 45_351.999_999, 22, '2024-03-01', 'date'),
  numberCase('a time', 0.75, 46, '18:00:00', 'date'),
  numberCase('a date', 45_352, 'dd.mm.yyyy', '2024-03-01', 'date'),
  numberCase('a date', 32_874, '[$-407]d/\\ mmmm\\ yyyy;@', '1990-01-01', 'date'),
  numberCase('a date', 45_352, 'yyyy"年"m"月"d"日"', '2024-03-01', 'date'),
  numberCase('a date', 45_352, '[<1]hh:mm;dd/mm/yyyy', '2024-03-01', 'date'),
  numberCase('a date in an East Asian format', 45_352, 57, '2024-03-01', 'date'),
  numberCase('the day before the one that never existed', 59, 14, '1900-02-28', 'date'),
  numberCase('the day that never existed', 60, 14, '1900-02-29', 'date'),
  numberCase('the day after the one that never existed', 61, 14, '1900-03-01', 'date'),
  numberCase('the first day', 1, 14, '1900-01-01', 'date'),
  numberCase('the last day', 2_958_465, 14, '9999-12-31', 'date'),
  numberCase('a number after the last day', 2_958_466, 14, '2958466', 'date'),
  numberCase('a number before the first day', -1, 14, '-1', 'date'),
  cellCase('a date in a 1904 workbook', '<c s="1"><v>43890</v></c>', '2024-03-01', 'date', year1904),
  cellCase('the first day of a 1904 workbook', '<c s="1"><v>0</v></c>', '1904-01-01', 'date', year1904),
  cellCase('a date in a strict workbook', '<c t="d"><v>2024-03-01T00:00:00.000</v></c>', '2024-03-01', 'date'),
  cellCase('a date that is text', inline('<t>01.03.2024</t>'), '01.03.2024', 'text'),
  numberCase('a number with a unit', 3, '0.0 "days"', '3', 'number'),
  numberCase('an amount in red', -5, '#,##0.00\\ [$€-407];[Red]-#,##0.00', '-5', 'number'),
  numberCase('a number in a text format', 815, 49, '815', 'number'),
  numberCase('a phone number without its leading zero', 15_112_345_678, 0, '15112345678', 'number'),
  numberCase('a number shown as 1.23E+11', '1.23E+11', 0, '123000000000', 'number'),
  numberCase('a number whose last digits are lost', '1234567890123456789', 0, '1.23456789012346E+18', 'number'),
  numberCase('a register number that its format pads', 815, '0000000000', '0000000815', 'text'),
  numberCase('a phone number that its format completes', 1_512_345, '"+49 "000-0000', '+49 151-2345', 'text'),
  numberCase('a number with a conditional padding format', 815, '[<1000]0000;General', '815', 'number'),
  numberCase('a number with noise', '19.989999999999998', 0, '19.99', 'number'),
  cellCase('an invalid number', '<c><v>Quennell</v></c>', 'Quennell', 'error'),
  cellCase('a boolean', '<c t="b"><v>1</v></c>', 'TRUE', 'boolean'),
  cellCase('an error', '<c t="e"><v>#N/A</v></c>', '#N/A', 'error'),
  cellCase('a formula and its text', '<c t="str"><f>A1</f><v>zoe</v></c>', 'zoe', 'text'),
  cellCase('a formula and its number', '<c><f>1+1</f><v>2</v></c>', '2', 'number'),
  cellCase('a formula and its date', '<c s="1"><f>TODAY()</f><v>45352</v></c>', '2024-03-01', 'date'),
  cellCase('a formula and its error', '<c t="e"><f>1/0</f><v>#DIV/0!</v></c>', '#DIV/0!', 'error'),
  cellCase('a formula and its empty string', '<c t="str"><f>""</f><v></v></c>', '', 'empty'),
  cellCase('a shared string', '<c t="s"><v>1</v></c>', 'yes', 'text', shared('<t>yes</t>')),
  cellCase(
    'rich text',
    inline('<r><t>Zo</t></r><r><rPr><b/></rPr><t xml:space="preserve">ë Q</t></r>'),
    'Zoë Q',
    'text',
  ),
  cellCase(
    'a shared string with formatting',
    '<c t="s"><v>1</v></c>',
    'Zoë',
    'text',
    shared('<r><t>Zo</t></r><r><t>ë</t></r>'),
  ),
  cellCase(
    'text with a phonetic guide',
    inline('<t>東京</t><rPh sb="0" eb="2"><t>トウキョウ</t></rPh>'),
    '東京',
    'text',
  ),
  cellCase(
    'a phonetic guide in a shared string',
    '<c t="s"><v>1</v></c>',
    '東',
    'text',
    shared('<t>東</t><rPh><t>ト</t></rPh><phoneticPr/>'),
  ),
  cellCase('an escaped line end', inline('<t>a_x000D_&#10;b</t>'), 'a\r\nb', 'text'),
  cellCase('text that only looks escaped', inline('<t>_x005F_x000D_</t>'), '_x000D_', 'text'),
  cellCase('an escaped emoji', inline('<t>_xD83D__xDE00_</t>'), '😀', 'text'),
  cellCase('text with preserved blanks', inline('<t xml:space="preserve">  a  </t>'), '  a  ', 'text'),
  cellCase('characters that XML escapes', inline('<t>&lt;b&gt; &amp;amp; &#x1F600;</t>'), '<b> &amp; 😀', 'text'),
  cellCase('text in CDATA', inline('<t><![CDATA[<b>&]]></t>'), '<b>&', 'text'),
  cellCase('inline text in the element of a value', '<c t="inlineStr"><v>a_x0041_</v></c>', 'aA', 'text'),
  cellCase(
    'text after text that is not read',
    '<c r="XFC2"><is><t>lost</t></is></c>'.replace('XFC2', 'B2'),
    '',
    'empty',
  ),
  {
    name: 'has text after text in a cell that is declared as a number',
    file: 'results.xlsx',
    build: () => peopleBook({ rows: `${headerRow}<row><c><is><t>Quennell</t></is></c>${inline('<t>b</t>')}</row>` }),
    expected: { header, rows: [['', 'b']], kinds: ['empty', 'text'] },
  },
  ...['a_x0000_b', 'a_x0007_b', 'a&#x202E;b'].map((text) => ({
    ...cellCase(`a character that is not text (${text})`, inline(`<t>${text}</t>`), text, 'text'),
    expected: {
      header,
      rows: [['Quennell', { a_x0000_b: 'a\ufffdb', a_x0007_b: 'a\x07b' }[text] ?? 'a\u202eb']],
      problems: { 2: 'invalid-characters' as const },
    },
  })),
  ...['<c t="s"><v>1</v></c>', inline('<t>a_xD83D_</t>')].map((cell) => ({
    ...cellCase(
      `half of a surrogate pair, ${cell.includes('is') ? 'inline' : 'shared'}`,
      cell,
      '',
      'text',
      shared('<t>a_xD83D_</t>'),
    ),
    expected: {
      header,
      rows: [['Quennell', 'a\ufffd']],
      problems: { 2: cell.includes('is') ? ('invalid-characters' as const) : ('lost-characters' as const) },
    },
  })),
  {
    name: 'has a formula that was never calculated',
    file: 'results.xlsx',
    build: () => peopleBook({ rows: `${headerRow}<row><c><v>1</v></c><c><f>Quennell!A1</f></c></row>`, styles }),
    expected: { header, rows: [['1', '']], problems: { 2: 'formula-without-value' } },
  },
]
