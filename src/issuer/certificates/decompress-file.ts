// Decompresses a downloaded file. We never request compression, but a proxy may apply it, and a compressed PDF must not
// be stored as a PDF. Pure.

import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { defaultMaxAnswerBytes } from '../http/answer-collector.ts'

const decompressors: Readonly<Record<string, typeof gunzipSync>> = {
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

/**
 * @param encoding the answer's Content-Encoding, if it has one
 * @throws CompressedFileError if the file is too long, corrupt, or in an unsupported encoding
 */
export function decompressFile(bytes: Buffer, encoding: string | undefined): Buffer {
  const name = encoding?.trim().toLowerCase() || 'identity'
  if (name === 'identity') return bytes
  const decompress = Object.hasOwn(decompressors, name) ? decompressors[name] : undefined
  if (!decompress) throw new CompressedFileError('its encoding is not supported')
  try {
    return decompress(bytes, { maxOutputLength: defaultMaxAnswerBytes })
  } catch (error) {
    const isTooLong = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
    throw new CompressedFileError(
      isTooLong ? `is longer than ${defaultMaxAnswerBytes} bytes when decompressed` : 'is corrupt',
    )
  }
}

/** Thrown when a file arrives compressed (Content-Encoding), which was not requested, and cannot be decompressed. */
export class CompressedFileError extends Error {
  override name = 'CompressedFileError'

  constructor(why: string) {
    super(
      `The file arrived compressed, which was not requested, and ${why}. A proxy between the service and this machine may be compressing answers: check its settings.`,
    )
  }
}
