// Classifies the number format of a cell: a date, a number with leading zeros, or another number. Pure.

import { piecesOf, readShownForm, type ShownForms } from './shown-number.ts'

export interface NumberStyle {
  /** `digits` stands for a whole number that is padded with zeros, such as 0000000. */
  shows: 'number' | 'date' | 'digits'
  /** The code of the format; omitted if it is General. */
  code?: string | undefined
  /** Set if the font strikes the text through. */
  struck?: true
  /** How numbers are shown; omitted if they are shown as they are stored. */
  forms?: ShownForms
}

export const plainNumber: NumberStyle = { shows: 'number' }
// Written for built-in formats that vary by language, because every spreadsheet program displays it.
const isoDate = 'yyyy\\-mm\\-dd'

// The numbers of built-in formats for dates and times, whose codes are not in the file. 27-36 and 50-58 are East Asian.
const builtInDates: [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

// Built-in formats with the currency of the program's language.
const ownCurrency = [5, 6, 7, 8, 41, 42, 43, 44]

/** Classifies the format `id`. If the workbook contains its `code`, the code takes precedence. */
export function readNumberFormat(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) {
    const known = builtInFormats[id]
    if (builtInDates.some(([from, to]) => id >= from && id <= to)) return { shows: 'date', code: known ?? isoDate }
    if (ownCurrency.includes(id)) return { shows: 'number', code: known, forms: [] }
    return known === undefined || known === '@' ? { shows: 'number', code: known } : { ...classify(known), code: known }
  }
  if (/^general$/i.test(code)) return plainNumber
  if (code === '@') return { shows: 'number', code }
  return { ...classify(code), code }
}

function classify(code: string): NumberStyle {
  const sections: string[][] = [[]]
  for (const piece of piecesOf(code)) {
    if (piece === ';') sections.push([])
    else sections.at(-1)?.push(piece)
  }
  // [<100]0000;General shows zeros for some numbers and not for others.
  const conditional = sections.flat().some((piece) => /^\[[<>=]/.test(piece))
  const [first = []] = sections
  // [h], [mm] and [ss] are durations.
  if ((conditional ? sections.flat() : first).some((piece) => /^(?:[dmyhs]|\[(?:h+|m+|s+)\])$/i.test(piece)))
    return { shows: 'date' }
  // Not evaluated: the matching section would have to be found for each number, and a wrong one would add or remove
  // zeros.
  if (conditional) return { shows: 'number', forms: [] }
  const forms = sections.map(readShownForm)
  const digits = forms[0]?.digits
  const pads = digits !== undefined && digits.whole > 1 && !digits.point && forms[0]?.shift === 0
  return { shows: pads ? 'digits' : 'number', forms }
}

/**
 * The number formats that a workbook refers to only by number (ECMA-376 part 1, 18.8.30), except those that vary by
 * language. They are spelled as in exceljs, even the unusual ones (22, 39, 40): exceljs then writes their number again,
 * and a spreadsheet program shows them in its own language.
 */
const builtInFormats: Readonly<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  5: '"$"#,##0_);\\("$"#,##0\\)',
  6: '"$"#,##0_);[Red]\\("$"#,##0\\)',
  7: '"$"#,##0.00_);\\("$"#,##0.00\\)',
  8: '"$"#,##0.00_);[Red]\\("$"#,##0.00\\)',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  14: 'mm-dd-yy',
  15: 'd-mmm-yy',
  16: 'd-mmm',
  17: 'mmm-yy',
  18: 'h:mm AM/PM',
  19: 'h:mm:ss AM/PM',
  20: 'h:mm',
  21: 'h:mm:ss',
  22: 'm/d/yy "h":mm',
  37: '#,##0 ;(#,##0)',
  38: '#,##0 ;[Red](#,##0)',
  39: '#,##0.00 ;(#,##0.00)',
  40: '#,##0.00 ;[Red](#,##0.00)',
  45: 'mm:ss',
  46: '[h]:mm:ss',
  47: 'mmss.0',
  48: '##0.0E+0',
  49: '@',
}
