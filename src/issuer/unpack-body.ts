// Unpacks a body that came packed on its way into a sink. None is asked for so, but a proxy may do it, and a packed PDF is no PDF.

import type { Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { BodySink } from './exchange.ts'
import { PackedBodyError } from './packed-body-error.ts'

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
}

export interface UnpackedSink extends BodySink {
  /** The exchange is over: nothing more of it is given to the sink, which may be the next try's by now. */
  drop(): void
}

/**
 * For one exchange.
 * @param mostBytes of the unpacked body. The sink's verbs then throw PackedBodyError too: for more, for what is broken, and for another packing.
 */
export function unpackBody(into: BodySink, mostBytes: number): UnpackedSink {
  let unpacking: Unpacking | null = null
  return {
    begin(headers) {
      const packing = (headers['content-encoding'] ?? 'identity').trim().toLowerCase()
      if (packing !== 'identity' && packing !== '') {
        const open = Object.hasOwn(unpackers, packing) ? unpackers[packing] : undefined
        if (!open) throw new PackedBodyError('in a way that is not known here')
        unpacking = startUnpacking(open(), (piece) => into.write(piece), mostBytes)
      }
      into.begin(headers)
    },
    drop: () => unpacking?.drop(),
    write: (piece) => (unpacking ? unpacking.write(piece) : into.write(piece)),
    async finish() {
      await unpacking?.end()
      await into.finish?.()
    },
  }
}

interface Unpacking {
  /** Kept once the unpacker wants more; what came out of it before was taken. */
  write(piece: Buffer): Promise<void>
  end(): Promise<void>
  /** Nothing more of it is given to the sink. */
  drop(): void
}

function startUnpacking(stream: Transform, take: BodySink['write'], mostBytes: number): Unpacking {
  let dropped = false
  let bytes = 0

  async function pour(): Promise<void> {
    for await (const piece of stream as AsyncIterable<Buffer>) {
      if (dropped) return
      bytes += piece.length
      if (bytes > mostBytes) throw new PackedBodyError(`is longer than ${mostBytes} bytes when it is unpacked`)
      await take(piece)
    }
  }
  const poured = pour().catch((error: NodeJS.ErrnoException) => {
    // zlib's own codes (Z_DATA_ERROR, Z_BUF_ERROR of a body that is cut, ERR_BROTLI…); anything else is the sink's.
    throw /^(Z_|ERR_BROTLI|ERR__ERROR)/.test(error.code ?? '') ? new PackedBodyError('is broken') : error
  })
  poured.catch(() => {})
  return {
    // A stream that is destroyed in the middle of a piece never says that it is done with it.
    write: (piece) =>
      Promise.race([poured, new Promise<void>((done) => void stream.write(piece, (error) => error ?? done()))]),
    async end() {
      stream.end()
      await poured
    },
    drop() {
      dropped = true
      stream.destroy()
    },
  }
}
