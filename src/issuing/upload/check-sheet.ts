// Checks that the course's upload sheet has columns for a file's fields and images. Runs before the first row is read,
// so that no row has to wait for a missing column later. May call the service through the cache.

import type { PipelineSettings } from '#config/pipeline-settings.ts'
import { layOut } from './sheet-layout.ts'
import type { SheetLayoutCache } from './sheet-layout-cache.ts'

const advice =
  'Ask the service to add what is missing to the template, leave out what the course does not require, or use batch.mode json, which sends no images.'

export class UploadSheetError extends Error {
  override readonly name = 'UploadSheetError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(`The recipients cannot be uploaded:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n${advice}`)
    this.faults = faults
  }
}

export interface FilledSheet {
  /** The display names of the fields that the file fills. */
  fields: readonly string[]
  /** Whether images are sent with the rows. */
  images: boolean
}

/**
 * @returns notices for the user; none for a pipeline that sends JSON
 * @throws UploadSheetError, which names every field without a column; any error from SheetLayoutCache
 */
export async function checkSheet(
  cache: SheetLayoutCache,
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  course: string,
  { fields, images }: FilledSheet,
): Promise<string[]> {
  if (mode !== 'upload') return []
  const imageContent = images ? { column: imageColumn } : null
  const { columns, courseNumber, notice } = await cache.sheetOf(course, imageContent)
  const { faults } = layOut(columns, { fields, images: imageContent, courseNumber })
  if (faults.length > 0) throw new UploadSheetError(faults)
  return notice ? [notice] : []
}
