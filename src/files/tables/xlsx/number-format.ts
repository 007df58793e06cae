// Classifies the number format of a cell: a date, a number with leading zeros, or another number. Pure.

import { readShownForms, type ShownForms } from './shown-number.ts'

export type NumberStyle = ({ shows: 'number' } | { shows: 'date' } | { shows: 'digits'; pattern: string[] }) & {
  /** The code of the format; omitted if it is General. */
  code?: string | undefined
  /** Set if the font strikes the text through. */
  struck?: true
  /** How numbers are shown; omitted if they are shown as they are stored. */
  forms?: ShownForms
  /** Set if the format cannot be written back; a number without its format would be displayed differently. */
  unwritable?: true
}

// Spreadsheet programs report a workbook with a longer format as damaged.
const maxCodeLength = 255

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

const literal = /"[^"]*"|\\./g
// [<100]0000;General shows zeros for some numbers and not for others.
const condition = /\[[<>=]/

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
  const unwritable = code.length > maxCodeLength || /\p{Cc}/u.test(code) || !code.isWellFormed()
  return { ...classify(code), ...(unwritable ? { unwritable } : { code }) }
}

function classify(code: string): NumberStyle {
  const conditional = condition.test(code.replace(literal, ''))
  const pieces = splitSections(code, conditional)
  if (pieces.some((piece) => piece.kind === 'code' && /[dmyhs]/i.test(piece.text))) return { shows: 'date' }
  // Not evaluated: the matching section would have to be found for each number, and a wrong one would add or remove
  // zeros.
  if (conditional) return { shows: 'number', forms: [] }
  const forms = readShownForms(code)
  const zeros = pieces.filter((piece) => piece.kind === 'code')
  if (zeros.length < 2 || zeros.some((piece) => piece.text !== '0')) return { shows: 'number', forms }
  return { shows: 'digits', pattern: pieces.map((piece) => (piece.kind === 'code' ? '0' : `=${piece.text}`)), forms }
}

/**
 * Writes a whole number into the zeros of a `digits` pattern, from the right, so that 815 in 0000000 is 0000815.
 * Additional digits are put in front. Returns undefined for numbers that cannot be written like this.
 */
export function writeDigits(value: number, pattern: string[]): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined
  const places = pattern.filter((piece) => piece === '0').length
  const digits = String(value).padStart(places, '0')
  let next = digits.length - places
  let written = ''
  let started = false
  for (const piece of pattern) {
    if (piece !== '0') {
      written += piece.slice(1)
      continue
    }
    written += started ? digits.charAt(next) : digits.slice(0, next + 1)
    started = true
    next++
  }
  return written
}

interface Piece {
  kind: 'code' | 'literal'
  text: string
}

/**
 * Splits the first section of a format code, or `all` of them, into pieces without conditions, colors and fillers.
 * Quoted and escaped text is literal.
 */
function splitSections(code: string, all: boolean): Piece[] {
  const pieces: Piece[] = []
  for (let at = 0; at < code.length; at++) {
    const character = code.charAt(at)
    if (character === ';') {
      if (!all) break
      continue
    }
    if (character === '"') {
      const end = code.indexOf('"', at + 1)
      pieces.push({ kind: 'literal', text: code.slice(at + 1, end < 0 ? undefined : end) })
      at = end < 0 ? code.length : end
    } else if (character === '[') {
      const end = code.indexOf(']', at)
      const inside = code.slice(at + 1, end < 0 ? undefined : end)
      // [h], [mm] and [ss] are durations; anything else in brackets is a color, a condition or a language.
      if (/^(h+|m+|s+)$/i.test(inside)) pieces.push({ kind: 'code', text: inside })
      at = end < 0 ? code.length : end
    } else if (character === '\\') {
      pieces.push({ kind: 'literal', text: code.charAt(++at) })
    } else if (character === '_' || character === '*') {
      at++
    } else {
      // These characters are literals in a format even without a backslash.
      pieces.push({ kind: /[-+ /():]/.test(character) ? 'literal' : 'code', text: character })
    }
  }
  return pieces
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
