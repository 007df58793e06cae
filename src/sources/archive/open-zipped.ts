// A file that is a ZIP: a workbook, or one table packed together with images.

import type { RawTable } from '#src/sources/source.ts'
import type { Refuse } from '#src/sources/source-error.ts'
import type { SourceLimits } from '#src/sources/source-limits.ts'
import type { SourceOptions } from '#src/sources/source-options.ts'
import { openWorkbook } from '#src/sources/xlsx/open-workbook.ts'
import { openZip } from '#src/sources/zip/open-zip.ts'
import { isPackage } from './is-package.ts'
import { openArchive } from './open-archive.ts'

/** Opens the ZIP at `path`. Throws SourceError. */
export async function openZipped(
  path: string,
  options: SourceOptions,
  limits: SourceLimits,
  refuse: Refuse,
): Promise<RawTable> {
  const zip = await openZip(path, limits, refuse)
  if (isPackage(zip)) return openWorkbook(zip, options.sheet, limits, refuse)
  return openArchive(zip, options, limits, refuse)
}
