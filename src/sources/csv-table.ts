// Rows as CSV text into a stream: UTF-8 with a byte order mark, CRLF, formulas guarded.

import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { stringify } from 'csv-stringify'
import { guardFormula } from './formula-guard.ts'
import type { TableEncoder } from './table-writer.ts'

/**
 * Encodes rows as CSV into `sink` and ends it. `failed` is aborted by the owner of the sink when the sink breaks: waiting
 * for room then rejects with its reason instead of for ever.
 */
export function csvTable(sink: Writable, failed: AbortSignal, separator = ','): TableEncoder {
  // The byte order mark makes spreadsheets read umlauts right. quote_record_delimiter because, with CRLF as the
  // record's end, a lone CR or LF in a cell went out unquoted and split the row (csv-stringify 6.9). quoted_empty because the only cell of a
  // one-column row, when empty, would otherwise be a blank line, which readers skip.
  const rows = stringify({
    bom: true,
    delimiter: separator,
    record_delimiter: 'windows',
    quote_record_delimiter: true,
    quoted_empty: true,
  })
  const piped = pipeline(rows, sink)
  piped.catch(() => {}) // reported by end(), and by `failed`
  return {
    async write(cells) {
      failed.throwIfAborted()
      // A lone surrogate has no UTF-8 form; made visible here instead of left to the encoder.
      if (!rows.write(cells.map((cell) => guardFormula(cell.toWellFormed()))))
        await once(rows, 'drain', { signal: failed })
    },
    async end() {
      rows.end()
      await piped
    },
    abort: () => void rows.destroy(),
  }
}
