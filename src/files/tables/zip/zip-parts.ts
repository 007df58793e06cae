// Reads the parts of a workbook by name, as streams straight from the ZIP.

import { type Refuse, toRefusal } from '#src/files/tables/source-error.ts'
import { foldName } from './check-entries.ts'
import type { OpenZip } from './open-zip.ts'

export interface ZipParts {
  /** Ignores the case of names, as the format requires. */
  has(name: string): boolean
  /**
   * Streams the bytes of a part, if there are at most `maxBytes` of them.
   * @throws SourceError if it is missing, too long, or does not match the table of contents
   */
  read(name: string, maxBytes?: number): AsyncGenerator<Buffer, void, undefined>
  close(): void
}

const damaged = 'The workbook is damaged or was cut off. Open it in a spreadsheet program and save it again.'

/** Opens the parts of `zip`, whose table of contents has been checked. */
export function zipPartsOf(zip: OpenZip, refuse: Refuse): ZipParts {
  const byName = new Map(zip.entries.map((entry) => [foldName(entry.fileName), entry]))
  return {
    has: (name) => byName.has(foldName(name)),
    async *read(name, maxBytes = Number.POSITIVE_INFINITY) {
      const entry = byName.get(foldName(name))
      if (!entry) throw refuse('damaged', damaged)
      if (entry.uncompressedSize > maxBytes) {
        throw refuse(
          'limit',
          `A list inside the workbook is longer than the limit of ${maxBytes} bytes. Copy the table into a new workbook.`,
        )
      }
      try {
        yield* zip.read(entry)
      } catch (error) {
        throw toRefusal(error, refuse, 'damaged', damaged)
      }
    },
    close: () => zip.close(),
  }
}
