// Detects the encoding of a CSV. In order of precedence: a byte order mark, the declared encoding, the NULs of UTF-16,
// and UTF-8 if the whole file is valid UTF-8. Otherwise Windows-1252 with a notice, unless the words contradict that.
// Reads the whole file, often several times.

import type { ByteSource } from '#src/files/tables/byte-source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import { areUtf8 } from '#src/files/tables/utf8-chunks.ts'
import { contradictsHead, decodesAnyBytes, readLabel } from './declared-encoding.ts'
import { type Doubt, doubtOfDeclaration, doubtOfGuess } from './encoding-doubts.ts'
import { gatherWords } from './gather-words.ts'
import { likelyEncoding } from './likely-encoding.ts'
import { byNulParity, byOrderMark } from './visible-encoding.ts'

export interface Encoding {
  /** A label in TextDecoder's spelling, such as `utf-8`. */
  encoding: string
  notices: string[]
  /** Set if neither the file nor its pipeline states the encoding. */
  guessed?: true
}

const windowsNotice =
  'The file does not say how its letters are written and is not UTF-8; it was read as Windows-1252. ' +
  'Look at a name with an accent; if it is wrong, set file.encoding of the pipeline.'

const saveAsUtf8 =
  'Save it as UTF-8: in Excel as “CSV UTF-8 (Comma delimited)”; in LibreOffice tick “Edit filter settings” and choose the character set UTF-8.'

// Large, because fetching a piece costs more than checking it. Even larger pieces are no faster.
const checkedBytes = 524_288

// If there are fewer invalid characters than this for each valid one, the valid ones are no accident.
const minAccidentalRatio = 4

/**
 * Reads all `bytes`, because the only byte that is not UTF-8 may be in the last row.
 * @throws SourceError (`encoding`, `not-a-table`)
 */
export async function detectEncoding(
  bytes: ByteSource,
  declared: string | undefined,
  refuse: Refuse,
): Promise<Encoding> {
  const head = await bytes.head(65_536)
  // A byte order mark takes precedence over the declaration, because a list that was corrected in another program may
  // have one even if the pipeline's other lists do not.
  const usesDeclaration = declared !== undefined && (byOrderMark(head) === undefined || !readLabel(declared, head))
  if (usesDeclaration) return { encoding: await checkDeclared(bytes, declared, head, refuse), notices: [] }
  const visible = byOrderMark(head) ?? byNulParity(head)
  const encoding = visible ?? 'utf-8'
  if (encoding === 'utf-8' && (await areUtf8(bytes.stream(checkedBytes)))) return { encoding, notices: [] }
  const trial = await tryDecoding(bytes, encoding)
  if (trial.decodes) return { encoding, notices: [] }
  if (visible !== undefined || trial.mostlyValid) {
    throw refuse(
      'encoding',
      `The file begins as ${encoding} but does not continue as such: it was cut off, or combined from two files. Export it again.`,
    )
  }
  if (trial.partlyValid) {
    throw refuse(
      'encoding',
      `Some letters of the file are UTF-8 and most are not: it was combined from two files, or is written in another encoding. ${saveAsUtf8}`,
    )
  }
  if (isBinary(head)) throw refuse('not-a-table', 'The file is not text. Export it as CSV or XLSX.')
  const words = await gatherWords(bytes, 'windows-1252')
  const doubt = doubtOfGuess(words)
  if (doubt) throw refuse('encoding', guessSentence(doubt, likelyEncoding(words.keys())))
  return { encoding: 'windows-1252', notices: [windowsNotice], guessed: true }
}

function guessSentence({ line, symbol }: Doubt, likely: string | null): string {
  const finding =
    symbol === null || symbol < '\u00a0'
      ? 'letters that do not belong together'
      : `“${symbol}” where only letters belong`
  const actual = likely ? `the actual encoding, probably ${likely}` : 'the actual encoding, if you know it'
  return (
    'The file does not say how its letters are written and is not UTF-8, and Windows-1252, the usual guess, would make names wrong: ' +
    `line ${line} has ${finding}. ${saveAsUtf8} Or set file.encoding of the pipeline to ${actual} (windows-1252, if the line is correct as it is).`
  )
}

function declaredSentence({ line }: Doubt, encoding: string): string {
  return `The file was declared as ${encoding}, but in that encoding its names are not valid: line ${line} has letters that do not belong together. ${saveAsUtf8} Or correct file.encoding of the pipeline.`
}

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
    const doubt = doubtOfDeclaration(await gatherWords(bytes, encoding), encoding)
    if (doubt) throw refuse('encoding', declaredSentence(doubt, encoding))
  }
  return encoding
}

interface Trial {
  decodes: boolean
  /**
   * True if at least half of the characters outside ASCII are valid: the file is damaged UTF-8, and every correct name
   * would become wrong if it were read as Windows-1252. In Chinese and Korean encodings, one pair of bytes in eight is
   * valid UTF-8 by accident, and more in short lists.
   */
  mostlyValid: boolean
  /** True if more characters are valid than by accident, even if fewer than half. */
  partlyValid: boolean
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
      return {
        decodes: false,
        mostlyValid: good >= bad,
        partlyValid: good * minAccidentalRatio > bad,
        beyondAscii: true,
      }
    }
  }
  try {
    decoder.decode()
    return { decodes: true, mostlyValid: true, partlyValid: true, beyondAscii: good > 0 }
  } catch {
    return { decodes: false, mostlyValid: good > 0, partlyValid: good > 0, beyondAscii: true }
  }
}

function isBinary(head: Buffer): boolean {
  const controls = head.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d,
  )
  return controls.length > head.length * 0.02
}
