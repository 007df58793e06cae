// Finds out how the letters of a CSV are written: what was declared, else a byte order mark, else the pattern of NULs
// that UTF-16 leaves, else UTF-8 if the whole file is, else Windows-1252 with a notice, unless words speak against it.

import type { ByteSource } from '#src/sources/byte-source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import { areUtf8 } from '#src/sources/whole-letters.ts'
import { contradictsHead, readLabel, readsAnything } from './declared-encoding.ts'
import { type Doubt, doubtDeclared, doubtGuess } from './doubt-guess.ts'
import { gatherWords } from './gather-words.ts'
import { likelyEncoding } from './likely-encoding.ts'
import { byNulParity, byOrderMark } from './visible-encoding.ts'

export interface Encoding {
  /** A label as TextDecoder gives it back, such as `utf-8`. */
  encoding: string
  notices: string[]
  /** Nobody said it, neither the file nor whoever set up its pipeline. */
  guessed?: true
}

const windowsNotice =
  'The file does not say how its letters are written and is not UTF-8; it was read as Windows-1252. ' +
  'Look at a name with an accent, and set file.encoding of the pipeline if it is wrong.'

const saveAsUtf8 =
  'Save it as UTF-8: in Excel as “CSV UTF-8 (Comma delimited)”; in LibreOffice tick “Edit filter settings” and choose the character set UTF-8.'

// To fetch a piece costs more than to look through it. Larger ones are no faster.
const checkedBytes = 524_288

const badPerAccident = 4

/**
 * Reads `bytes` once from end to end, because the one byte that is not UTF-8 may be in the last row.
 * Throws SourceError (`encoding`, `not-a-table`).
 */
export async function detectEncoding(
  bytes: ByteSource,
  declared: string | undefined,
  refuse: Refuse,
): Promise<Encoding> {
  const head = await bytes.head(65_536)
  // A mark is the file's own word. Whoever mends a list in another program sends it with one, whatever the others have.
  const declaredHere = declared !== undefined && (byOrderMark(head) === undefined || !readLabel(declared, head))
  if (declaredHere) return { encoding: await takeDeclared(bytes, declared, head, refuse), notices: [] }
  const visible = byOrderMark(head) ?? byNulParity(head)
  const encoding = visible ?? 'utf-8'
  if (encoding === 'utf-8' && (await areUtf8(bytes.stream(checkedBytes)))) return { encoding, notices: [] }
  const trial = await tryDecoding(bytes, encoding)
  if (trial.decodes) return { encoding, notices: [] }
  if (visible !== undefined || trial.mostly) {
    throw refuse(
      'encoding',
      `The file begins as ${encoding} and does not stay so: it was cut off, or put together from two. Export it again.`,
    )
  }
  if (trial.partly) {
    throw refuse(
      'encoding',
      `Some letters of the file are UTF-8 and most are not: it was put together from two, or is written in another encoding. ${saveAsUtf8}`,
    )
  }
  if (looksBinary(head)) throw refuse('not-a-table', 'The file is not text. Export it as CSV or XLSX.')
  const words = await gatherWords(bytes, 'windows-1252')
  const doubt = doubtGuess(words)
  if (doubt) throw refuse('encoding', guessSentence(doubt, likelyEncoding(words.keys())))
  return { encoding: 'windows-1252', notices: [windowsNotice], guessed: true }
}

function guessSentence({ line, sign }: Doubt, likely: string | null): string {
  const sees =
    sign === null || sign < '\u00a0' ? 'letters that do not belong together' : `“${sign}” where only letters stand`
  const which = likely ? `; likely is ${likely}` : ', if you know what it is written in'
  return (
    'The file does not say how its letters are written and is not UTF-8, and Windows-1252, the usual guess, would make wrong names of it: ' +
    `line ${line} has ${sees}. ${saveAsUtf8} Or set file.encoding of the pipeline${which} (windows-1252, if the line is right so).`
  )
}

function declaredSentence({ line }: Doubt, encoding: string): string {
  return `The file was declared as ${encoding}, and that makes no names of it: line ${line} has letters that do not belong together. ${saveAsUtf8} Or correct file.encoding of the pipeline.`
}

async function takeDeclared(bytes: ByteSource, declared: string, head: Buffer, refuse: Refuse): Promise<string> {
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
      `The file is not ${encoding} all through, as it was declared. Correct file.encoding of the pipeline, or export the file again.`,
    )
  }
  if (readsAnything(encoding)) {
    const trial = await tryDecoding(bytes, 'utf-8')
    if (trial.decodes && trial.beyondAscii) {
      throw refuse(
        'encoding',
        `The file was declared as ${encoding} and is UTF-8 all through, so its names would come out wrong. Correct file.encoding of the pipeline, or export the file again.`,
      )
    }
    const doubt = doubtDeclared(await gatherWords(bytes, encoding), encoding)
    if (doubt) throw refuse('encoding', declaredSentence(doubt, encoding))
  }
  return encoding
}

interface Trial {
  decodes: boolean
  /**
   * Of the letters outside ASCII half are good: such a file is damaged UTF-8. Read as Windows-1252, every one of its good names would
   * become a wrong one. In Chinese and Korean of other encodings one pair of bytes in eight is
   * good by accident, and in short lists more.
   */
  mostly: boolean
  /** Fewer than half, and still more than accidents would explain. */
  partly: boolean
  /** It holds letters outside ASCII at all. */
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
      return { decodes: false, mostly: good >= bad, partly: good * badPerAccident > bad, beyondAscii: true }
    }
  }
  try {
    decoder.decode()
    return { decodes: true, mostly: true, partly: true, beyondAscii: good > 0 }
  } catch {
    return { decodes: false, mostly: good > 0, partly: good > 0, beyondAscii: true }
  }
}

function looksBinary(head: Buffer): boolean {
  const controls = head.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d,
  )
  return controls.length > head.length * 0.02
}
