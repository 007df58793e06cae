// Detects the encoding of a CSV. In order of precedence: a byte order mark, the declared encoding, the NULs of UTF-16,
// and UTF-8 if the whole file is valid UTF-8. Nothing else is guessed: the file is refused, with the likely encodings
// in the message. Reads the whole file.

import { maskBeyondAscii } from '#src/domain/recipient/mask-value.ts'
import type { ByteSource } from '#src/files/tables/byte-source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import { areUtf8 } from '#src/files/tables/utf8-chunks.ts'
import { byNulParity, byOrderMark } from './encoding-from-first-bytes.ts'
import { type LikelyEncoding, likelyEncodings } from './likely-encodings.ts'

// Large, because fetching a piece costs more than checking it. Even larger pieces are no faster.
const checkedBytes = 524_288

/**
 * Returns a label in TextDecoder's spelling, such as `utf-8`. Reads all `bytes`, because the only byte that is not
 * UTF-8 may be in the last row.
 * @throws SourceError (`encoding`, `not-a-table`)
 */
export async function detectEncoding(bytes: ByteSource, declared: string | undefined, refuse: Refuse): Promise<string> {
  const head = await bytes.head(65_536)
  // A byte order mark takes precedence over the declaration, because a list that was corrected in another program may
  // have one even if the pipeline's other lists do not.
  const usesDeclaration = declared !== undefined && (byOrderMark(head) === undefined || !readLabel(declared, head))
  if (usesDeclaration) return checkDeclared(bytes, declared, head, refuse)
  const visible = byOrderMark(head) ?? byNulParity(head)
  const encoding = visible ?? 'utf-8'
  if (encoding === 'utf-8' && (await areUtf8(bytes.stream(checkedBytes)))) return encoding
  const trial = await tryDecoding(bytes, encoding)
  if (trial.decodes) return encoding
  if (visible !== undefined || trial.mostlyValid) {
    throw refuse(
      'encoding',
      `The file begins as ${encoding} but does not continue as such: it was cut off, or combined from two files. Export it again.`,
    )
  }
  if (isBinary(head)) throw refuse('not-a-table', 'The file is not text. Export it as CSV or XLSX.')
  throw refuse('encoding', await describeUnknownEncoding(bytes))
}

/**
 * Checks a declared encoding against the file itself. Most single-byte encodings can decode any bytes, so a wrong
 * declaration would otherwise silently change every name.
 */
async function checkDeclared(bytes: ByteSource, declared: string, head: Buffer, refuse: Refuse): Promise<string> {
  const encoding = readLabel(declared, head)
  if (encoding === undefined) {
    throw refuse(
      'encoding',
      `The encoding "${declared}" is not known. Correct file.encoding of the pipeline: utf-8, windows-1252, utf-16le or another standard name.`,
    )
  }
  if (contradictsHead(encoding, head) || !(await tryDecoding(bytes, encoding)).decodes) {
    throw refuse(
      'encoding',
      `The file was declared as ${encoding} and is not ${encoding} throughout. Correct file.encoding of the pipeline, or export the file again.`,
    )
  }
  if (decodesAnyBytes(encoding)) {
    const trial = await tryDecoding(bytes, 'utf-8')
    if (trial.decodes && trial.beyondAscii) {
      throw refuse(
        'encoding',
        `The file was declared as ${encoding} and is UTF-8 throughout, so its names would come out wrong. Correct file.encoding of the pipeline, or export the file again.`,
      )
    }
  }
  return encoding
}

interface Trial {
  decodes: boolean
  /**
   * True if at least half of the characters outside ASCII are valid, so that the file is damaged UTF-8. In Chinese and
   * Korean encodings, one pair of bytes in eight is valid UTF-8 by accident, and more in short lists.
   */
  mostlyValid: boolean
  /** True if the text has characters outside ASCII. */
  beyondAscii: boolean
}

async function tryDecoding(bytes: ByteSource, encoding: string): Promise<Trial> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let good = 0
  for await (const chunk of bytes.stream() as AsyncIterable<Buffer>) {
    try {
      good += chunk.length - decoder.decode(chunk, { stream: true }).length
    } catch {
      const strange = new TextDecoder(encoding).decode(chunk).match(/[^\0-\x7f]/g) ?? []
      const bad = strange.filter((character) => character === '\ufffd').length
      good += strange.length - bad
      return { decodes: false, mostlyValid: good >= bad, beyondAscii: true }
    }
  }
  try {
    decoder.decode()
    return { decodes: true, mostlyValid: true, beyondAscii: good > 0 }
  } catch {
    return { decodes: false, mostlyValid: good > 0, beyondAscii: true }
  }
}

function isBinary(head: Buffer): boolean {
  const controls = head.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d,
  )
  return controls.length > head.length * 0.02
}

const singleByte = /^(windows-(125\d|874)|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/

/**
 * Returns the declared encoding in TextDecoder's spelling; undefined if it is unknown. For a bare `utf-16`, the byte
 * order mark decides the byte order.
 */
function readLabel(declared: string, head: Buffer): string | undefined {
  try {
    const label = new TextDecoder(declared).encoding
    const isOrderUnstated = /^\s*(utf-?16|unicode|ucs-2)\s*$/i.test(declared)
    return isOrderUnstated && (byOrderMark(head) ?? byNulParity(head)) === 'utf-16be' ? 'utf-16be' : label
  } catch {
    return undefined
  }
}

/**
 * Returns true if the first bytes rule out `encoding`: they have the byte order mark of another encoding or the NULs of
 * UTF-16, or lack the NULs that `encoding` requires.
 */
function contradictsHead(encoding: string, head: Buffer): boolean {
  const visible = byOrderMark(head) ?? byNulParity(head)
  if (visible !== undefined) return visible !== encoding
  // In UTF-16, separators and line ends contain a NUL; the first 64 kB of a table have some.
  return encoding.startsWith('utf-16') && !head.includes(0)
}

/**
 * Returns true if UTF-8 could be decoded as `encoding` without errors, so that a wrong declaration would go unnoticed.
 */
function decodesAnyBytes(encoding: string): boolean {
  return singleByte.test(encoding)
}

const saveAsUtf8 =
  'Save it as UTF-8: in Excel as “CSV UTF-8 (Comma delimited)”; in LibreOffice tick “Edit filter settings” and choose the character set UTF-8.'

const maxLines = 300
// Longer lines are cut, because a file may consist of a single one.
const maxLineLength = 1_000
const beyondAscii = /[^\0-\x7f]/
const maxShownCells = 3

/**
 * Returns the reason to refuse the file: a line of it, masked, as it would read in the likely encodings, and what to
 * do. Reads the file up to a few hundred lines with letters beyond ASCII. Throws the errors of reading.
 */
async function describeUnknownEncoding(bytes: ByteSource): Promise<string> {
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
