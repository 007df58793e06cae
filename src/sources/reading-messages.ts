// What the door and its reading thread say to each other: numbered requests, each with one reply.

import type { PackedRows } from './packed-rows.ts'
import type { MergedColumn, Source, SourceImage } from './source.ts'
import type { SourceErrorCode } from './source-error.ts'
import type { SourceOptions } from './source-options.ts'

/** What a thread is started with. */
export interface ReadingOrder {
  path: string
  options: SourceOptions
}

/** Answers to each request. Structured clones, so no functions and no errors. */
export interface Replies {
  open: Pick<Source, 'format' | 'separator' | 'header' | 'notices'> & { images: readonly SourceImage[] | null }
  /** No rows: the end. What else is told came up with the last row. */
  next: { rows: PackedRows | null; notices: string[]; merged: MergedColumn[] }
  image: Uint8Array<ArrayBuffer>
}

export type Asking = keyof Replies

export interface Request {
  id: number
  asks: Asking
  /** Of the image. */
  name?: string
}

/** The first message, sent before the file is touched: what fails before it is not the file's fault. */
export const begun = 'begun'

export type Reply =
  | { id: number; reply: Replies[Asking] }
  | { id: number; refused: { code: SourceErrorCode; sentence: string } }
