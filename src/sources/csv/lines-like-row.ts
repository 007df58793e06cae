// Tells a cell of several lines that holds rows of the file from one that holds a text. Pure.
//
// A mark that was not closed may be closed rightly by chance, by an inch mark some rows below. Nothing is wrong then with the number of cells,
// so what counts is how the lines are written. Prose puts a space behind each of its few commas; a row does not, or all of the file does it,
// and a row has the address, the numbers and the dates where the others have theirs. Neither an exact number of separators nor an
// address may be asked for: the row that was swallowed may itself lack one. In doubt it is a row, because a text in one line costs less than a person.

export interface TableShape {
  /** How many columns the header has. */
  width: number
  /** What stands between the cells. */
  delimiter: string
  /** The header has a space behind each separator, as whoever types a table may do. */
  spaced: boolean
}

const lineEnds = /\r\n|[\r\n]/
const longestAddress = 255
// Of a column or two a row has so few separators that only what stands between them tells.
const fewestColumns = 3
const address = /^[^\s@"]+@[^\s@"]+\.[^\s@"]+$/
// Numbers as registers and phones have them, and dates.
const number = /^[+\d][\d\s./:()-]*$/

interface Line {
  pieces: string[]
  /** The column of the first piece. */
  from: number
  /** Separators behind which text goes on at once. Not those of a decimal fraction. */
  tight: number
}

/** Whether a line of the cell at `index` may be a row, or the lines together a row's end, rows, and a row's beginning. */
export function linesLikeRow(cells: readonly string[], index: number, table: TableShape): boolean {
  const { width } = table
  // Of one column a row is any line.
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
  if (lines.some((line) => holdsAddress(line, addresses))) return true
  if (below.some((line) => line.pieces.length > several && isInManner(line, cells, index))) return true
  if (width < fewestColumns) return false
  if (below.some(({ tight }) => tight >= half)) return true
  // The mark was closed in the column in which it was opened, so the last line comes as far as that.
  const reaches = last !== undefined && last.pieces.length >= index
  return reaches && lines.reduce((sum, { tight }) => sum + tight, 0) >= half * below.length
}

function readLine(text: string, from: number, delimiter: string, isSpaced: boolean): Line {
  const pieces = text.split(delimiter)
  const isTight = (piece: string, at: number) => {
    if (at === 0) return false
    const before = pieces[at - 1] as string
    if (/\d$/.test(before) && /^\d/.test(piece)) return false
    // Two separators in a row are two empty cells, wherever spaces stand; one at the end is a comma.
    if (piece.trim() === '') return before.trim() === ''
    return isSpaced || delimiter === '\t' || !/^\s/.test(piece)
  }
  return { pieces, from, tight: pieces.filter(isTight).length }
}

function isAddress(text: string): boolean {
  return text.length < longestAddress && address.test(text.trim())
}

/** Whether an address stands in one of the columns in which the row has its `own`; or anywhere, when it has none. */
function holdsAddress({ pieces, from }: Line, own: readonly number[]): boolean {
  if (pieces.length < 2) return false
  return pieces.some((piece, at) => isAddress(piece) && (own.length === 0 || own.includes(from + at)))
}

/** Whether a number or a date stands where the row has one, or the line begins with an empty cell, as no sentence does. */
function isInManner({ pieces }: Line, cells: readonly string[], index: number): boolean {
  if (pieces[0]?.trim() === '') return true
  return pieces.some((piece, at) => {
    const own = cells[at]?.trim() ?? ''
    return at !== index && number.test(own) && own.length < longestAddress && number.test(piece.trim())
  })
}
