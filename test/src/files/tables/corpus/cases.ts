// The table of all sample files, one entry for each, with the expected result.

import { archiveCases } from './archive-cases.ts'
import { cellCases } from './cell-cases.ts'
import type { CorpusCase } from './corpus-case.ts'
import { csvCases } from './csv-cases.ts'
import { csvHostileCases } from './csv-hostile-cases.ts'
import { encodingCases } from './encoding-cases.ts'
import { sheetCases } from './sheet-cases.ts'
import { workbookHostileCases } from './workbook-hostile-cases.ts'
import { wrongTypeCases } from './wrong-type-cases.ts'

export const cases: CorpusCase[] = [
  ...encodingCases,
  ...csvCases,
  ...csvHostileCases,
  ...wrongTypeCases,
  ...cellCases,
  ...sheetCases,
  ...workbookHostileCases,
  ...archiveCases,
]
