// What a cell's number format says about its number: a date, a number with leading zeros, or just a number.

export type NumberStyle = { shows: 'number' } | { shows: 'date' } | { shows: 'digits'; pattern: string[] }

export const plainNumber: NumberStyle = { shows: 'number' }

// Built-in formats that are dates or times. They are not spelt out in the file, and 27-36 and 50-58 are East Asian.
const builtInDates: [number, number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
]

const literal = /"[^"]*"|\\./g
// [<100]0000;General shows zeros for some numbers and not for others.
const condition = /\[[<>=]/

/** Gives what format `id` shows; `code` is its text when the workbook spells it out, which then counts. */
export function readNumberFormat(id: number, code: string | undefined): NumberStyle {
  if (code === undefined) {
    return builtInDates.some(([from, to]) => id >= from && id <= to) ? { shows: 'date' } : plainNumber
  }
  const conditional = condition.test(code.replace(literal, ''))
  const pieces = splitSections(code, conditional)
  if (pieces.some((piece) => piece.kind === 'code' && /[dmyhs]/i.test(piece.text))) return { shows: 'date' }
  // Which section holds would have to be found out for each number, and a wrong one would add or take zeros.
  if (conditional) return plainNumber
  const zeros = pieces.filter((piece) => piece.kind === 'code')
  if (zeros.length < 2 || zeros.some((piece) => piece.text !== '0')) return plainNumber
  return { shows: 'digits', pattern: pieces.map((piece) => (piece.kind === 'code' ? '0' : `=${piece.text}`)) }
}

/**
 * Writes a whole number into the zeros of a `digits` pattern, from the right, so that 815 in 0000000 is 0000815; what
 * does not fit stands before the first one. Undefined for numbers that have no such digits.
 */
export function writeDigits(value: number, pattern: string[]): string | undefined {
  if (!Number.isSafeInteger(value) || value < 0) return undefined
  const places = pattern.filter((piece) => piece === '0').length
  const digits = String(value).padStart(places, '0')
  let next = digits.length - places
  let written = ''
  let begun = false
  for (const piece of pattern) {
    if (piece !== '0') {
      written += piece.slice(1)
      continue
    }
    written += begun ? digits.charAt(next) : digits.slice(0, next + 1)
    begun = true
    next++
  }
  return written
}

interface Piece {
  kind: 'code' | 'literal'
  text: string
}

/**
 * The first section of a format code, or `all` of them, without conditions, colours and fillers; quoted and escaped text
 * are literals.
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
      // [h], [mm] and [ss] are spans of time; anything else in brackets is a colour, a condition or a language.
      if (/^(h+|m+|s+)$/i.test(inside)) pieces.push({ kind: 'code', text: inside })
      at = end < 0 ? code.length : end
    } else if (character === '\\') {
      pieces.push({ kind: 'literal', text: code.charAt(++at) })
    } else if (character === '_' || character === '*') {
      at++
    } else {
      // These stand for themselves in a format without a backslash.
      pieces.push({ kind: /[-+ /():]/.test(character) ? 'literal' : 'code', text: character })
    }
  }
  return pieces
}
