// Opens a file that is a ZIP: a workbook, or one table packed together with images.

import type { RawTable, SourceOptions } from '#src/files/tables/source.ts'
import type { OpenFile } from '#src/files/tables/source-file.ts'
import type { TableReading } from '#src/files/tables/source-limits.ts'
import { openWorkbook } from '#src/files/tables/xlsx/open-workbook.ts'
import { openZip } from '#src/files/tables/zip/open-zip.ts'
import { isOfficeDocument, refuseForeignDocument } from './foreign-document.ts'
import { openTableZip } from './open-table-zip.ts'

/** Opens the ZIP in an open file. @throws SourceError */
export async function openZipped(file: OpenFile, options: SourceOptions, reading: TableReading): Promise<RawTable> {
  const { refuse } = reading
  const zip = await openZip(file, reading)
  refuseForeignDocument(zip, refuse)
  if (isOfficeDocument(zip)) return openWorkbook(zip, options.sheet, reading)
  return openTableZip(zip, options, reading)
}
