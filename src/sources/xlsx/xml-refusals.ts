// Why XML is refused, whoever walks through it.

import type { Refuse, SourceError } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'

const damaged = 'The workbook holds XML that is not valid. Open it in a spreadsheet program and save it anew.'

export function refuseInvalid(refuse: Refuse): SourceError {
  return refuse('damaged', damaged)
}

export function refuseNesting(limits: SourceLimits, refuse: Refuse): SourceError {
  return refuse('limit', `The workbook nests XML deeper than ${limits.xmlNesting} levels, the limit. Save it anew.`)
}

export function refusePiece(limits: SourceLimits, refuse: Refuse): SourceError {
  return refuse(
    'limit',
    `The workbook holds a piece of XML longer than ${limits.xmlPieceBytes} bytes, the limit. Send it as CSV.`,
  )
}
