// The interface of a store that keeps the high-water mark outside the ledger, and the parser for the store's content.

import { z } from 'zod'
import type { HighWaterMark } from '#src/domain/credential/high-water-mark.ts'

export interface StoredMarks {
  marks: readonly HighWaterMark[]
  /** Whether the store contains something that cannot be parsed. */
  isUnreadable: boolean
}

/** Every function throws if the store is unreachable or cannot be written. */
export interface MarkKeeper {
  /** The store's name, for messages. */
  where: string
  read(): Promise<StoredMarks>
  /**
   * Writes the mark durably, unless the store's mark of this ledger is equal, higher or unreadable.
   * @returns what the store contained before
   */
  raise(mark: HighWaterMark): Promise<StoredMarks>
  /** Replaces this ledger's mark or an unreadable one. */
  put(mark: HighWaterMark): Promise<void>
}

const markSchema: z.ZodType<HighWaterMark> = z.object({
  ledger: z.uuid(),
  environment: z.string(),
  service: z.string(),
  era: z.int().nonnegative(),
  number: z.int().nonnegative(),
  token: z.string(),
  at: z.iso.datetime(),
  system: z.string().nullable(),
})

/** Parses JSON that contains one mark, or several under `marks`. Pure. */
export function readMarks(text: string): StoredMarks {
  try {
    const found: unknown = JSON.parse(text)
    const severalMarks = z.object({ marks: z.array(markSchema) }).safeParse(found)
    if (severalMarks.success) return { marks: severalMarks.data.marks, isUnreadable: false }
    return { marks: [markSchema.parse(found)], isUnreadable: false }
  } catch {
    return { marks: [], isUnreadable: true }
  }
}

export const isOfSameLedger = (one: HighWaterMark, other: HighWaterMark) =>
  one.ledger === other.ledger && one.environment === other.environment
