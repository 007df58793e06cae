// The messages between openSource and its reading thread: numbered requests, each with one reply.

import type { MergedColumn, Source, SourceImage } from '../source.ts'
import type { SourceErrorCode } from '../source-error.ts'

/** The reply to each kind of request. Replies are structured clones, so they contain no functions and no errors. */
export interface Replies {
  open: Pick<Source, 'format' | 'separator' | 'header' | 'notices' | 'pictures'> & {
    images: readonly SourceImage[] | null
  }
  /**
   * `rows` is null after the last batch. `merged` is complete only then. The rows are JSON, because cloning their many
   * small strings would cost as much as reading them.
   */
  next: { rows: string | null; notices: string[]; merged: MergedColumn[] }
  image: Uint8Array<ArrayBuffer>
}

export type RequestKind = keyof Replies

export interface Request {
  id: number
  kind: RequestKind
  /** The name of the image, if one is requested. */
  name: string | undefined
}

/** The first message of the thread, sent before it reads any file. A failure before it is not a file's fault. */
export const started = 'started'

export type ReadingReply =
  | { id: number; reply: Replies[RequestKind] }
  | { id: number; refused: { code: SourceErrorCode; sentence: string } }
