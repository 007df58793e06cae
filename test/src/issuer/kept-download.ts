// A sink that keeps what it is given, and how often it had to begin.

import type { DownloadSink } from '#src/issuer/download-sink.ts'

export interface KeptDownload extends DownloadSink {
  bytes(): Buffer
  types: string[]
}

export function keptDownload(): KeptDownload {
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
