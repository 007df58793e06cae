// The errors for XML that is refused, shared by the tokenizer and saxes.

import type { Refuse, SourceError } from '#src/files/tables/source-error.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'

const damaged = 'The workbook contains invalid XML. Open it in a spreadsheet program and save it again.'

export function refuseInvalid(refuse: Refuse): SourceError {
  return refuse('damaged', damaged)
}

export function refuseNesting(limits: SourceLimits, refuse: Refuse): SourceError {
  return refuse(
    'limit',
    `The workbook nests XML more deeply than the limit of ${limits.xmlNesting} levels. Save it again.`,
  )
}

export function refuseLongPiece(limits: SourceLimits, refuse: Refuse): SourceError {
  return refuse(
    'limit',
    `The workbook contains a piece of XML that is longer than the limit of ${limits.xmlPieceBytes} bytes. Send the table as CSV.`,
  )
}
