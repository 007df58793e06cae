// The parts of a workbook, each read by its name as a stream straight from the ZIP.

import { asRefusal, type Refuse } from '#src/sources/source-error.ts'
import { foldName } from './check-entries.ts'
import type { OpenZip } from './open-zip.ts'

export interface ZipParts {
  /** Names compare without regard to case, as the format asks. */
  has(name: string): boolean
  /**
   * The bytes of a part, at most `most` of them. Throws SourceError when it is missing or longer, or when it is not what
   * the table of contents says.
   */
  read(name: string, most?: number): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

const damaged = 'The workbook is damaged or was cut off. Open it in a spreadsheet program and save it anew.'

/** Gives the parts of `zip`, whose table of contents has been checked. */
export function partsOf(zip: OpenZip, refuse: Refuse): ZipParts {
  const byName = new Map(zip.entries.map((entry) => [foldName(entry.fileName), entry]))
  return {
    has: (name) => byName.has(foldName(name)),
    async *read(name, most = Number.POSITIVE_INFINITY) {
      const entry = byName.get(foldName(name))
      if (!entry) throw refuse('damaged', damaged)
      if (entry.uncompressedSize > most) {
        throw refuse(
          'limit',
          `A list inside the workbook is longer than ${most} bytes, the limit. Copy the table into a new workbook.`,
        )
      }
      try {
        yield* zip.read(entry)
      } catch (error) {
        throw asRefusal(error, refuse, 'damaged', damaged)
      }
    },
    close: () => zip.close(),
  }
}
