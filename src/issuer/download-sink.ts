// Where a downloaded file goes, and the look at its first bytes that keeps an error in JSON from being taken for a file.

import type { BodySink } from './exchange.ts'

/** What a caller gives to take a file. Each promise is waited for, so a slow disk slows the download and fills no memory. */
export interface DownloadSink {
  /** A file begins. Called again when the first try broke off: what was written before is void. The type is the service's word, empty without one. */
  begin(contentType: string): void | Promise<void>
  write(piece: Buffer): void | Promise<void>
}

export interface Downloaded {
  contentType: string
  bytes: number
}

export interface Sieve extends BodySink {
  /** What may be an envelope and was kept back; null once the bytes went to the sink. */
  held(): Buffer | null
  /** Gives what was kept back to the sink after all, and tells what it has got. */
  end(): Promise<Downloaded>
  /** Settles when the sink is left alone: a try that was given up may still be writing. */
  settled(): Promise<void>
}

// No file that is told of begins with a brace (PDF, PNG, JPEG, ZIP), and an envelope that only says "no" is short.
const brace = 0x7b
const longestEnvelope = 64 * 1024
const skipped = new Set([0x20, 0x09, 0x0a, 0x0d, 0xef, 0xbb, 0xbf])

/** Lets bytes through to `into`, but for a body that begins like a JSON object and is short: that is held for the caller to judge. */
export function openSieve(into: DownloadSink): Sieve {
  let contentType = ''
  let bytes = 0
  let kept: Buffer | null = Buffer.alloc(0)
  let tries = 0
  let turn: Promise<void> = Promise.resolve()

  /** After what the sink has in hand, and only while this try is the last one. */
  function inTurn(work: () => Promise<void> | void): Promise<void> {
    const mine = tries
    const next = turn.then(() => (mine === tries ? work() : undefined))
    turn = next.catch(() => {})
    return next
  }
  function letThrough(): Promise<void> {
    const all = kept
    kept = null
    return inTurn(async () => {
      if (!all) return
      await into.begin(contentType)
      if (all.length > 0) await into.write(all)
    })
  }

  return {
    begin(headers) {
      tries += 1
      contentType = headers['content-type'] ?? ''
      bytes = 0
      kept = Buffer.alloc(0)
    },
    async write(piece) {
      bytes += piece.length
      if (!kept) return inTurn(() => into.write(piece))
      kept = Buffer.concat([kept, piece])
      const first = kept.find((byte) => !skipped.has(byte))
      if ((first !== undefined && first !== brace) || kept.length > longestEnvelope) await letThrough()
    },
    held: () => kept,
    async end() {
      await letThrough()
      return { contentType, bytes }
    },
    settled: () => turn,
  }
}
