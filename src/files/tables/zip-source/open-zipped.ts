// Opens a file that is a ZIP: a workbook, or one table packed together with images.

import type { RawTable, SourceOptions } from '#src/files/tables/source.ts'
import type { Refuse } from '#src/files/tables/source-error.ts'
import type { OpenFile } from '#src/files/tables/source-file.ts'
import type { SourceLimits } from '#src/files/tables/source-limits.ts'
import { openWorkbook } from '#src/files/tables/xlsx/open-workbook.ts'
import { openZip } from '#src/files/tables/zip/open-zip.ts'
import { isOfficeDocument, refuseForeignDocument } from './foreign-document.ts'
import { openTableZip } from './open-table-zip.ts'

/** Opens the ZIP in an open file. @throws SourceError */
export async function openZipped(
  file: OpenFile,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const zip = await openZip(file, limits, refuse)
  refuseForeignDocument(zip, refuse)
  if (isOfficeDocument(zip)) return openWorkbook(zip, options.sheet, limits, refuse)
  return openTableZip(zip, options, limits, refuse)
}
