// Checks that the course's upload sheet has columns for a file's fields and images. This is done before the first row
// is read, so that no row has to wait for a column later. May call the service through the cache.

import type { PipelineSettings } from '#config/schema.ts'
import { layOut } from './sheet-layout.ts'
import type { SheetLayoutCache } from './sheet-layout-cache.ts'

export class UploadSheetError extends Error {
  override readonly name = 'UploadSheetError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[], advice: string) {
    super(`The recipients cannot be uploaded:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n${advice}`)
    this.faults = faults
  }
}

export interface FilledSheet {
  /** The display names of the fields that the file fills. */
  fields: readonly string[]
  /** The filled fields that the course requires; empty by default. */
  required?: readonly string[]
  /** Whether images are sent with the rows. */
  images: boolean
}

/**
 * @returns notices for the user; none for a pipeline that sends JSON
 * @throws UploadSheetError, which names every field without a column; whatever SheetLayoutCache throws
 */
export async function checkSheet(
  cache: SheetLayoutCache,
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  course: string,
  { fields, required = [], images }: FilledSheet,
): Promise<string[]> {
  if (mode !== 'upload') return []
  const imageContent = images ? { column: imageColumn } : null
  const { columns, courseNumber, notice } = await cache.sheetOf(course, imageContent)
  const { faults, unplaced, unfilled } = layOut(columns, { fields, images: imageContent, courseNumber })
  if (faults.length > 0)
    throw new UploadSheetError(faults, adviceFor(unplaced, required, faults.length > unplaced.length))
  const notices = notice ? [notice] : []
  if (unfilled.length > 0)
    notices.push(
      `The sample sheet marks columns as required that the file does not fill, so they will be empty: ${unfilled.join(', ')}.`,
    )
  return notices
}

/** Says what to do. Leaving out a field is suggested only if the course does not require it. */
function adviceFor(unplaced: readonly string[], required: readonly string[], imagesUnplaced: boolean): string {
  const needed = unplaced.filter((field) => required.includes(field))
  const optional = unplaced.filter((field) => !required.includes(field))
  const missing = unplaced.length + Number(imagesUnplaced)
  const ask = `Ask the service to add ${missing === 1 ? 'the missing column' : 'the missing columns'} to the template`
  const remedies = [ask]
  if (needed.length === 0) {
    const omissions = optional.length > 0 ? [`remove ${listed(optional)} from the file and from columns`] : []
    if (imagesUnplaced) omissions.push('send the list without images, if its credentials show no images')
    remedies.push(omissions.join(' and '))
  }
  if (!imagesUnplaced) remedies.push('use batch.mode json')
  const advice = remedies.length > 1 ? `${remedies.slice(0, -1).join(', ')}, or ${remedies.at(-1)}.` : `${remedies[0]}.`
  const why =
    needed.length > 0
      ? ` ${listed(needed)} cannot be left out, because the course requires ${needed.length === 1 ? 'it' : 'them'}.`
      : ''
  return advice + why
}

function listed(fields: readonly string[]): string {
  return fields.map((field) => `“${field}”`).join(', ')
}
