// Decompresses a body on its way into a sink. We never request compression, but a proxy may apply it, and a compressed
// PDF must not be stored as a PDF.

import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { BodySink } from './exchange.ts'

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export interface DecompressedSink extends BodySink {
  /** Ends the exchange: nothing more is passed to the sink, which the next attempt may already be using. */
  drop(): void
}

/**
 * Wraps the sink of one exchange. Its methods throw CompressedBodyError if the body is too long, corrupt, or in an
 * unsupported encoding.
 * @param maxBytes the maximum length of the decompressed body
 */
export function decompressBody(sink: BodySink, maxBytes: number): DecompressedSink {
  let decompression: Decompression | null = null
  return {
    begin(headers) {
      const encoding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
      if (encoding !== 'identity' && encoding !== '') {
        const create = Object.hasOwn(decompressors, encoding) ? decompressors[encoding] : undefined
        if (!create) throw new CompressedBodyError('its encoding is not supported')
        decompression = startDecompression(create(), (piece) => sink.write(piece), maxBytes)
      }
      sink.begin(headers)
    },
    drop: () => decompression?.drop(),
    write: (piece) => (decompression ? decompression.write(piece) : sink.write(piece)),
    async finish() {
      await decompression?.end()
      await sink.finish?.()
    },
  }
}

interface Decompression {
  /** Resolves when the decompressor accepts more input; its previous output has then been written. */
  write(piece: Buffer): Promise<void>
  end(): Promise<void>
  /** Stops: nothing more is passed to the sink. */
  drop(): void
}

function startDecompression(stream: Transform, writeOutput: BodySink['write'], maxBytes: number): Decompression {
  let dropped = false
  let bytes = 0

  async function pump(): Promise<void> {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (dropped) return
      bytes += piece.length
      if (bytes > maxBytes) throw new CompressedBodyError(`is longer than ${maxBytes} bytes when decompressed`)
      await writeOutput(piece)
    }
  }
  const pumped = pump().catch((error: NodeJS.ErrnoException) => {
    // These are zlib's codes (Z_DATA_ERROR, Z_BUF_ERROR for a truncated body, ERR_BROTLI…); any other error comes from
    // the sink.
    throw /^(Z_|ERR_BROTLI|ERR__ERROR)/.test(error.code ?? '') ? new CompressedBodyError('is corrupt') : error
  })
  pumped.catch(() => {})
  return {
    // A stream that is destroyed while it processes a chunk never calls back, so `pumped` settles the write instead.
    write: (piece) =>
      Promise.race([pumped, new Promise<void>((done) => void stream.write(piece, (error) => error ?? done()))]),
    async end() {
      stream.end()
      await pumped
    },
    drop() {
      dropped = true
      stream.destroy()
    },
  }
}

/** Thrown when a file arrives compressed (Content-Encoding), which was not requested, and cannot be decompressed. */
export class CompressedBodyError extends Error {
  override name = 'CompressedBodyError'

  constructor(why: string) {
    super(
      `The file arrived compressed, which was not requested, and ${why}. A proxy between the service and this machine may be compressing answers: check its settings.`,
    )
  }
}
