// Describes a CSV whose encoding is unknown: a line of it, masked, as it would read in the likely encodings, and what to
// do. Reads the file up to a few hundred lines with letters beyond ASCII.

import { maskBeyondAscii } from '#src/domain/recipient/mask-value.ts'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import { type LikelyEncoding, likelyEncodings } from './likely-encodings.ts'

const saveAsUtf8 =
  'Save it as UTF-8: in Excel as “CSV UTF-8 (Comma delimited)”; in LibreOffice tick “Edit filter settings” and choose the character set UTF-8.'

const maxLines = 300
// Longer lines are cut, because a file may consist of a single one.
const maxLineLength = 1_000
const beyondAscii = /[^\0-\x7f]/
const maxShownCells = 3

/** Returns the reason to refuse the file. Throws the errors of reading. */
export async function describeUnknownEncoding(bytes: ByteSource): Promise<string> {
  const { first, lines } = await linesBeyondAscii(bytes)
  const readings = likelyEncodings(Buffer.from(lines.join('\n'), 'latin1'))
  const names = readings.map(({ encoding }) => encoding).join(' or ')
  const likely = names === '' ? '' : `, but probably ${names}`
  const actual = readings.length === 1 ? `${names}, if that is right` : 'the actual encoding'
  return (
    `The file is neither UTF-8 nor UTF-16${likely}: see line ${first}${shownIn(readings)}. How its letters are written is not guessed. ` +
    `${saveAsUtf8} Or set file.encoding of the pipeline to ${actual}.`
  )
}

function shownIn(readings: readonly LikelyEncoding[]): string {
  const shown = readings.flatMap(({ encoding, text }) => {
    const [line = ''] = text.split('\n', 1)
    const cells = line.split(/[,;|\t]/).map((cell) => maskBeyondAscii(cell.replaceAll('"', '').trim()))
    const distinct = new Set(cells.filter((cell) => cell !== null))
    const letters = [...distinct].slice(0, maxShownCells).join(' and ')
    return letters === '' ? [] : [`${letters} in ${encoding}`]
  })
  return shown.length > 0 ? `, which has ${shown.join(' or ')}` : ''
}

/** Finds the number of the first line with bytes beyond ASCII, and such lines with a character for each byte. */
async function linesBeyondAscii(bytes: ByteSource): Promise<{ first: number; lines: string[] }> {
  const lines: string[] = []
  let [first, count, rest] = [0, 0, '']
  const add = (line: string) => {
    count++
    if (!beyondAscii.test(line)) return
    first ||= count
    lines.push(cut(line))
  }
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    // A carriage return at the end of a chunk may be half of a line end.
    const parts = (rest + chunk.toString('latin1')).split(/\r\n|\r(?!$)|\n/)
    rest = parts.pop() ?? ''
    for (const line of parts) add(line)
    if (lines.length >= maxLines) return { first, lines }
    if (rest.length > 2 * maxLineLength) rest = cut(rest)
  }
  add(rest)
  return { first, lines }
}

/** Shortens a line to the part around its first letter beyond ASCII. */
function cut(line: string): string {
  const at = line.search(beyondAscii)
  return at < 0 ? line.slice(-1) : line.slice(Math.max(0, at - maxLineLength), at + maxLineLength)
}
