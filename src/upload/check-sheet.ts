// Whether a file's fields and images have their places in the course's sheet: asked before the first row is read, so that no row waits for it later.

import type { PipelineSettings } from '#config/schema.ts'
import { layOut } from './sheet-layout.ts'
import type { UploadDesk } from './upload-desk.ts'

export class UploadSheetError extends Error {
  override readonly name = 'UploadSheetError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[]) {
    super(
      `The recipients cannot be uploaded:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n` +
        'Take what has no column out of the file or of columns, ask the service to add it to the template, or use batch.mode json.',
    )
    this.faults = faults
  }
}

/**
 * @param fields display names of the fields that the file fills
 * @param images whether images travel with the rows
 * @returns sentences that a person should see; none for a pipeline that sends JSON
 * @throws UploadSheetError naming every field without a column; what UploadDesk throws
 */
export async function checkSheet(
  desk: UploadDesk,
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  course: string,
  { fields, images }: { fields: readonly string[]; images: boolean },
): Promise<string[]> {
  if (mode !== 'upload') return []
  const wish = images ? { column: imageColumn } : null
  const { columns, courseNumber, notice } = await desk.sheetOf(course, wish)
  const { faults, unfilled } = layOut(columns, { fields, images: wish, courseNumber })
  if (faults.length > 0) throw new UploadSheetError(faults)
  const notices = notice ? [notice] : []
  if (unfilled.length > 0)
    notices.push(
      `The sample sheet marks columns as required that nothing fills; they stay empty: ${unfilled.join(', ')}.`,
    )
  return notices
}
