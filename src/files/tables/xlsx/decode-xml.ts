// Converts XML to UTF-8 without a byte order mark and with normalized line ends, as XML requires. Nearly all input
// already has that form.

import { isUtf8 } from 'node:buffer'
import { TextDecoder } from 'node:util'
import { endOfWholeCharacters } from '#src/files/tables/utf8-chunks.ts'

/** Thrown if the bytes are not valid in the encoding that their start shows. */
export class UndecodableError extends Error {
  override name = 'UndecodableError'
}

export interface XmlDecoder {
  /** Decodes the next bytes up to the last complete character. The next call continues with an incomplete character. */
  decode(chunk: Buffer): Buffer
  /** Returns the rest. Like `decode`, throws UndecodableError. */
  end(): Buffer
}

const noBytes = Buffer.alloc(0)
const carriageReturn = 0x0d

export function openXmlDecoder(): XmlDecoder {
  let chosen: XmlDecoder | undefined
  let heldBack = false
  return {
    decode(chunk) {
      chosen ??= chooseDecoder(chunk)
      const bytes = chosen.decode(chunk)
      if (!heldBack && !bytes.includes(carriageReturn)) return bytes
      const text = (heldBack ? '\r' : '') + bytes.toString()
      // Only the next chunk shows whether the line end has one character or two.
      heldBack = text.endsWith('\r')
      return Buffer.from((heldBack ? text.slice(0, -1) : text).replace(/\r\n?/g, '\n'))
    },
    end() {
      const rest = chosen?.end() ?? noBytes
      return heldBack ? Buffer.concat([Buffer.from('\n'), rest]) : rest
    },
  }
}

function chooseDecoder(first: Buffer): XmlDecoder {
  const start = first.length >= 2 ? first.readUInt16BE(0) : 0
  if (start === 0xfffe) return openUtf16('utf-16le')
  if (start === 0xfeff) return openUtf16('utf-16be')
  return openUtf8()
}

const byteOrderMark = Buffer.from('\ufeff')

function openUtf8(): XmlDecoder {
  let incomplete: Buffer | undefined
  let started = false
  return {
    decode(chunk) {
      const bytes: Buffer = incomplete ? Buffer.concat([incomplete, chunk]) : chunk
      const end = endOfWholeCharacters(bytes)
      incomplete = end < bytes.length ? bytes.subarray(end) : undefined
      const whole = bytes.subarray(0, end)
      if (!isUtf8(whole)) throw new UndecodableError()
      const marked = !started && whole.indexOf(byteOrderMark) === 0
      started ||= end > 0
      return marked ? whole.subarray(byteOrderMark.length) : whole
    },
    end() {
      if (incomplete) throw new UndecodableError()
      return noBytes
    },
  }
}

function openUtf16(encoding: string): XmlDecoder {
  const decoder = new TextDecoder(encoding, { fatal: true })
  const orUndecodable = (decode: () => string) => {
    try {
      return Buffer.from(decode())
    } catch {
      throw new UndecodableError()
    }
  }
  return {
    decode: (chunk) => orUndecodable(() => decoder.decode(chunk, { stream: true })),
    end: () => orUndecodable(() => decoder.decode()),
  }
}
