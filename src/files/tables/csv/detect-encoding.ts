// Detects the encoding of a CSV. In order of precedence: a byte order mark, the declared encoding, the NULs of UTF-16,
// and UTF-8 if the whole file is valid UTF-8. Nothing else is guessed: the file is refused. Reads the whole file.

import type { ByteSource } from '#src/files/tables/byte-source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import { areUtf8 } from '#src/files/tables/utf8-chunks.ts'
import { contradictsHead, decodesAnyBytes, readLabel } from './declared-encoding.ts'
import { describeUnknownEncoding } from './unknown-encoding.ts'
import { byNulParity, byOrderMark } from './visible-encoding.ts'

// Large, because fetching a piece costs more than checking it. Even larger pieces are no faster.
const checkedBytes = 524_288

/**
 * Returns a label in TextDecoder's spelling, such as `utf-8`. Reads all `bytes`, because the only byte that is not UTF-8
 * may be in the last row.
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
