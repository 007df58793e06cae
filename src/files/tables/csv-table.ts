// Encodes rows as CSV: UTF-8 with a byte order mark, CRLF line ends, and formulas guarded. Writes only to the given
// sink.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { guardFormula } from './formula-guard.ts'
import { type TableEncoder, textOf } from './table-cell.ts'

/**
 * Encodes rows as CSV into `sink` and ends it. The owner of the sink aborts `failed` when the sink breaks; a pending
 * write then rejects with its reason instead of waiting forever.
 */
export function csvTable(sink: Writable, failed: AbortSignal, separator = ','): TableEncoder {
  // The byte order mark makes spreadsheet programs read umlauts correctly. quote_record_delimiter is set because, with
  // CRLF as record delimiter, a lone CR or LF in a cell was written unquoted and split the row (csv-stringify 6.9).
  // quoted_empty is set because a one-column row with an empty cell would otherwise be a blank line, which readers
  // skip.
  const rows = stringify({
    bom: true,
    delimiter: separator,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_empty: true,
  })
  const piped = pipeline(rows, sink)
  piped.catch(() => {}) // The error is reported by end() and by `failed`.
  return {
    async write(cells) {
      failed.throwIfAborted()
      // A lone surrogate has no UTF-8 form, so it is replaced here.
      if (!rows.write(cells.map((cell) => guardFormula(textOf(cell).toWellFormed()))))
        await once(rows, 'drain', { signal: failed })
    },
    async end() {
      rows.end()
      await piped
    },
    abort: () => void rows.destroy(),
  }
}
