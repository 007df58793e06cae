// A download sink for tests that keeps the bytes in memory, and the content type of each attempt.

import type { DownloadSink } from '#src/issuer/certificates/download-sink.ts'

export interface MemorySink extends DownloadSink {
  bytes(): Buffer
  types: string[]
}

export function openMemorySink(): MemorySink {
  let pieces: Buffer[] = []
  const types: string[] = []
  return {
    types,
    bytes: () => Buffer.concat(pieces),
    begin(contentType) {
      pieces = []
      types.push(contentType)
    },
    write: (piece) => void pieces.push(piece),
  }
}
