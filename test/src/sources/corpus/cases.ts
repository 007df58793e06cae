// The table of sample files: one row for each, with what must come out of it.

import { archiveCases } from './archive-cases.ts'
import { cellCases } from './cell-cases.ts'
import type { CorpusCase } from './corpus-case.ts'
import { csvCases } from './csv-cases.ts'
import { csvHostileCases } from './csv-hostile-cases.ts'
import { encodingCases } from './encoding-cases.ts'
import { mistakenCases } from './mistaken-cases.ts'
import { sheetCases } from './sheet-cases.ts'
import { workbookHostileCases } from './workbook-hostile-cases.ts'

export const cases: CorpusCase[] = [
  ...encodingCases,
  ...csvCases,
  ...csvHostileCases,
  ...mistakenCases,
  ...cellCases,
  ...sheetCases,
  ...workbookHostileCases,
  ...archiveCases,
]
