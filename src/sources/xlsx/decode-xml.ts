// Turns the bytes of XML into UTF-8 without a byte order mark, with its line ends made one kind as XML asks. Nearly always
// they are that already.

import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { endOfWholeLetters } from '#src/sources/whole-letters.ts'

/** The bytes are not in the encoding that they begin as. */
export class UndecodableError extends Error {
  override name = 'UndecodableError'
}

export interface XmlDecoder {
  /** The next bytes, ending with a whole letter. What is cut at their end comes with the next ones. */
  decode(chunk: Buffer): Buffer
  /** What is left. Throws UndecodableError, as `decode` does. */
  end(): Buffer
}

const nothing = Buffer.alloc(0)
const carriageReturn = 0x0d

export function openXmlDecoder(): XmlDecoder {
  let letters: XmlDecoder | undefined
  let heldBack = false
  return {
    decode(chunk) {
      letters ??= lettersIn(chunk)
      const bytes = letters.decode(chunk)
      if (!heldBack && !bytes.includes(carriageReturn)) return bytes
      const text = (heldBack ? '\r' : '') + bytes.toString()
      // Whether it is a line end of one or of two characters shows with the next piece.
      heldBack = text.endsWith('\r')
      return Buffer.from((heldBack ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n'))
    },
    end() {
      const rest = letters?.end() ?? nothing
      return heldBack ? Buffer.concat([Buffer.from('\n'), rest]) : rest
    },
  }
}

function lettersIn(first: Buffer): XmlDecoder {
  const start = first.length >= 2 ? first.readUInt16BE(0) : 0
  if (start === 0xfffe) return openUtf16('utf-16le')
  if (start === 0xfeff) return openUtf16('utf-16be')
  return openUtf8()
}

const mark = Buffer.from('\ufeff')

function openUtf8(): XmlDecoder {
  let cut: Buffer | undefined
  let begun = false
  return {
    decode(chunk) {
      const bytes: Buffer = cut ? Buffer.concat([cut, chunk]) : chunk
      const end = endOfWholeLetters(bytes)
      cut = end < bytes.length ? bytes.subarray(end) : undefined
      const whole = bytes.subarray(0, end)
      if (!isUtf8(whole)) throw new UndecodableError()
      const marked = !begun && whole.indexOf(mark) === 0
      begun ||= end > 0
      return marked ? whole.subarray(mark.length) : whole
    },
    end() {
      if (cut) throw new UndecodableError()
      return nothing
    },
  }
}

function openUtf16(encoding: string): XmlDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const guarded = (decode: () => string) => {
    try {
      return Buffer.from(decode())
    } catch {
      throw new UndecodableError()
    }
  }
  return {
    decode: (chunk) => guarded(() => decoder.decode(chunk, { stream: true })),
    end: () => guarded(() => decoder.decode()),
  }
}
