// Finds out how the letters of a CSV are written: what was declared, else a byte order mark, else the pattern of NULs
// that UTF-16 leaves, else UTF-8 if the whole file is, else Windows-1252 with a notice.

import { createReadStream } from 'node:fs'
import { readHead } from '#src/sources/read-head.ts'
import type { Refuse } from '#src/sources/source-error.ts'

export interface Encoding {
  /** A label as TextDecoder gives it back, such as `utf-8`. */
  encoding: string
  notices: string[]
}

const windowsNotice =
  'The file does not say how its letters are written and is not UTF-8; it was read as Windows-1252. ' +
  'Look at a name with an accent, and set the encoding if it is wrong.'

/**
 * Reads the file at `path` once from end to end, because the one byte that is not UTF-8 may be in the last row.
 * Throws SourceError (`encoding`, `not-a-table`).
 */
export async function detectEncoding(path: string, declared: string | undefined, refuse: Refuse): Promise<Encoding> {
  if (declared !== undefined) {
    const encoding = readLabel(declared, refuse)
    if ((await tryDecoding(path, encoding)).decodes) return { encoding, notices: [] }
    throw refuse(
      'encoding',
      `The file is not ${encoding} all through, as it was declared. Correct the encoding in the configuration.`,
    )
  }
  const head = await readHead(path, 65_536)
  const visible = byOrderMark(head) ?? byNulParity(head)
  const encoding = visible ?? 'utf-8'
  const trial = await tryDecoding(path, encoding)
  if (trial.decodes) return { encoding, notices: [] }
  if (visible !== undefined || trial.mostly) {
    throw refuse(
      'encoding',
      `The file begins as ${encoding} and does not stay so: it was cut off, or put together from two. Export it again.`,
    )
  }
  if (looksBinary(head)) throw refuse('not-a-table', 'The file is not text. Export it as CSV or XLSX.')
  return { encoding: 'windows-1252', notices: [windowsNotice] }
}

function readLabel(declared: string, refuse: Refuse): string {
  try {
    return new TextDecoder(declared).encoding
  } catch {
    throw refuse(
      'encoding',
      `The encoding "${declared}" is not known. Use utf-8, windows-1252, utf-16le or another standard name.`,
    )
  }
}

function byOrderMark(head: Buffer): string | undefined {
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return 'utf-8'
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  return undefined
}

/** In UTF-16 every separator, digit and line end has a NUL on the same side; a stray NUL in other text stands alone. */
function byNulParity(head: Buffer): string | undefined {
  const nuls = [0, 0]
  for (let at = 0; at < head.length; at++) if (head[at] === 0) nuls[at % 2] = (nuls[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = nuls
  const many = Math.max(2, (head.length / 2) * 0.05)
  if (odd >= many && even * 20 < odd) return 'utf-16le'
  if (even >= many && odd * 20 < even) return 'utf-16be'
  return undefined
}

/**
 * `mostly` says that the file holds at least as many good letters outside ASCII as bad ones: such a file is damaged
 * UTF-8. Read as Windows-1252, every one of its good names would become a wrong one in silence.
 */
async function tryDecoding(path: string, encoding: string): Promise<{ decodes: boolean; mostly: boolean }> {
  const decoder = new TextDecoder(encoding, { fatal: true })
  let good = 0
  for await (const chunk of createReadStream(path, { highWaterMark: 65_536 }) as AsyncIterable<Buffer>) {
    try {
      good += chunk.length - decoder.decode(chunk, { stream: true }).length
    } catch {
      const strange = new TextDecoder(encoding).decode(chunk).match(/[^\0-\x7f]/g) ?? []
      const bad = strange.filter((character) => character === '\ufffd').length
      good += strange.length - bad
      return { decodes: false, mostly: good >= bad }
    }
  }
  try {
    decoder.decode()
    return { decodes: true, mostly: true }
  } catch {
    return { decodes: false, mostly: good > 0 }
  }
}

function looksBinary(head: Buffer): boolean {
  const controls = head.filter(
    (byte) => byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0c && byte !== 0x0d,
  )
  return controls.length > head.length * 0.02
}
