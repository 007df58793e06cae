// Passes a downloaded file on to a sink, and examines its first bytes so that a JSON error is not stored as a file.

import type { BodySink } from '../http/exchange.ts'

/**
 * Implemented by callers to receive a file. Each promise is awaited, so a slow disk slows the download instead of
 * filling memory.
 */
export interface DownloadSink {
  /**
   * Starts a file. Called again after an interrupted attempt; discard everything that was written before. The content
   * type is as the service sent it, or empty if it sent none.
   */
  begin(contentType: string): void | Promise<void>
  /** Adds a piece to the file that `begin` started. */
  write(piece: Buffer): void | Promise<void>
}

export interface Downloaded {
  contentType: string
  bytes: number
}

export interface EnvelopeFilter extends BodySink {
  /** The bytes held back because they may be an envelope; null once they have been passed to the sink. */
  held(): Buffer | null
  /** Passes any bytes held back to the sink, and returns the type and length of the complete file. */
  end(): Promise<Downloaded>
  /** Settles when nothing uses the sink any longer: an abandoned attempt may still be writing. */
  settled(): Promise<void>
}

// None of the documented file types begins with a brace (PDF, PNG, JPEG, ZIP), and an envelope that only reports an
// error is short.
const brace = 0x7b
const maxEnvelopeBytes = 64 * 1024
/** White space, and the bytes of a byte order mark. */
const ignoredBytes = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/**
 * Passes bytes through to `sink`, except for a short body that begins like a JSON object, which is held back for the
 * caller to classify.
 */
export function openEnvelopeFilter(sink: DownloadSink): EnvelopeFilter {
  let contentType = ''
  let bytes = 0
  let heldBack: Buffer | null = Buffer.alloc(0)
  let latestAttempt = 0
  let pending: Promise<void> = Promise.resolve()

  /** Runs after pending writes, and only while this attempt is the latest one. */
  function afterPending(work: () => Promise<void> | void): Promise<void> {
    const attempt = latestAttempt
    const next = pending.then(() => (attempt === latestAttempt ? work() : undefined))
    pending = next.catch(() => {})
    return next
  }
  function release(): Promise<void> {
    const bytesToPass = heldBack
    heldBack = null
    return afterPending(async () => {
      if (!bytesToPass) return
      await sink.begin(contentType)
      if (bytesToPass.length > 0) await sink.write(bytesToPass)
    })
  }

  return {
    begin(headers) {
      latestAttempt += 1
      contentType = headers['content-type'] ?? ''
      bytes = 0
      heldBack = Buffer.alloc(0)
    },
    async write(piece) {
      bytes += piece.length
      if (!heldBack) return afterPending(() => sink.write(piece))
      heldBack = Buffer.concat([heldBack, piece])
      const first = heldBack.find((byte) => !ignoredBytes.has(byte))
      if ((first !== undefined && first !== brace) || heldBack.length > maxEnvelopeBytes) await release()
    },
    held: () => heldBack,
    async end() {
      await release()
      return { contentType, bytes }
    },
    settled: () => pending,
  }
}
