// Distinguishes a multi-line cell that swallowed rows of the file from one that contains prose. Pure.
//
// A quotation mark that was left open may happen to be closed by another one, such as an inch mark some rows below. The
// number of cells is then right, so the style of the lines decides. Prose has a space after each of its few commas; a
// row has none, unless the whole file does, and a row has the address, numbers and dates in the same columns as the
// other rows. Neither an exact number of separators nor an address can be required, because the swallowed row may
// itself be incomplete. In doubt a line counts as a row, because refusing valid prose costs less than losing a person.

export interface TableShape {
  /** The number of columns in the header. */
  width: number
  /** The character between the cells. */
  delimiter: string
  /** True if the header has a space after each separator, as in a table that was typed by hand. */
  spaced: boolean
}

const lineEnds = /\r\n|[\r\n]/
const maxAddressLength = 255
// With one or two columns, a row has so few separators that only the content of its cells can show that it is one.
const minColumns = 3
const address = /^[^\s@"]+@[^\s@"](?=[^\s@".]*\.[^\s@"])[^\s@"]+$/
// Register and phone numbers, and dates.
const number = /^[+\d][\d\s./:()-]*$/

interface Line {
  pieces: string[]
  /** The column of the first piece. */
  from: number
  /** The number of separators without a space after them, except those of a decimal fraction. */
  tight: number
}

/**
 * Returns true if a line of the cell at `index` may be a row, or if its lines together may be the end of a row, whole
 * rows and the start of a row.
 */
export function hasLinesLikeRow(cells: readonly string[], index: number, table: TableShape): boolean {
  const { width } = table
  // With one column, any line could be a row.
  if (width < 2) return false
  const isSpaced = table.spaced || cells.some((cell, at) => at > 0 && at !== index && /^ \S/.test(cell))
  const lines = (cells[index] as string)
    .split(lineEnds)
    .map((text, at) => readLine(text, at === 0 ? index : 0, table.delimiter, isSpaced))
  const [, ...below] = lines
  const last = below.at(-1)
  const half = Math.ceil((width - 1) / 2)
  const several = Math.min(Math.max(half, 2), width - 1)
  const addresses = cells.flatMap((cell, at) => (at !== index && isAddress(cell) ? [at] : []))
  if (lines.some((line) => hasAddress(line, addresses))) return true
  if (below.some((line) => line.pieces.length > several && resemblesRow(line, cells, index))) return true
  if (width < minColumns) return false
  if (below.some(({ tight }) => tight >= half)) return true
  // The quote was closed in the column in which it was opened, so the last line has at least that many cells.
  const reaches = last !== undefined && last.pieces.length >= index
  return reaches && lines.reduce((sum, { tight }) => sum + tight, 0) >= half * below.length
}

function readLine(text: string, from: number, delimiter: string, isSpaced: boolean): Line {
  const pieces = text.split(delimiter)
  const isTight = (piece: string, at: number) => {
    if (at === 0) return false
    const before = pieces[at - 1] as string
    if (/\d$/.test(before) && /^\d/.test(piece)) return false
    // Two consecutive separators are empty cells, even with spaces between them. A single one at the end is a comma.
    if (piece.trim() === '') return before.trim() === ''
    return isSpaced || delimiter === '\t' || !/^\s/.test(piece)
  }
  return { pieces, from, tight: pieces.filter(isTight).length }
}

function isAddress(text: string): boolean {
  return text.length < maxAddressLength && address.test(text.trim())
}

/** Returns true if an address is in one of the columns where the row has one, or anywhere if the row has none. */
function hasAddress({ pieces, from }: Line, own: readonly number[]): boolean {
  if (pieces.length < 2) return false
  return pieces.some((piece, at) => isAddress(piece) && (own.length === 0 || own.includes(from + at)))
}

/**
 * Returns true if the line has a number or a date where the row has one, or if it begins with an empty cell, unlike any
 * sentence.
 */
function resemblesRow({ pieces }: Line, cells: readonly string[], index: number): boolean {
  if (pieces[0]?.trim() === '') return true
  return pieces.some((piece, at) => {
    const own = cells[at]?.trim() ?? ''
    return at !== index && number.test(own) && own.length < maxAddressLength && number.test(piece.trim())
  })
}
