// Whether a file's fields and images have their places in the course's sheet: asked before the first row is read, so that no row waits for it later.

import type { PipelineSettings } from '#config/schema.ts'
import { layOut } from './sheet-layout.ts'
import type { UploadDesk } from './upload-desk.ts'

export class UploadSheetError extends Error {
  override readonly name = 'UploadSheetError'
  readonly faults: readonly string[]
  constructor(faults: readonly string[], advice: string) {
    super(`The recipients cannot be uploaded:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\n${advice}`)
    this.faults = faults
  }
}

export interface FilledSheet {
  /** Display names of the fields that the file fills. */
  fields: readonly string[]
  /** Those of them that the course requires; none when left out. */
  required?: readonly string[]
  /** Whether images travel with the rows. */
  images: boolean
}

/**
 * @returns sentences that a person should see; none for a pipeline that sends JSON
 * @throws UploadSheetError naming every field without a column; what UploadDesk throws
 */
export async function checkSheet(
  desk: UploadDesk,
  { mode, imageColumn }: Pick<PipelineSettings['batch'], 'mode' | 'imageColumn'>,
  course: string,
  { fields, required = [], images }: FilledSheet,
): Promise<string[]> {
  if (mode !== 'upload') return []
  const wish = images ? { column: imageColumn } : null
  const { columns, courseNumber, notice } = await desk.sheetOf(course, wish)
  const { faults, homeless, unfilled } = layOut(columns, { fields, images: wish, courseNumber })
  if (faults.length > 0)
    throw new UploadSheetError(faults, adviceFor(homeless, required, faults.length > homeless.length))
  const notices = notice ? [notice] : []
  if (unfilled.length > 0)
    notices.push(
      `The sample sheet marks columns as required that nothing fills; they stay empty: ${unfilled.join(', ')}.`,
    )
  return notices
}

/** What to do: a field that the course requires cannot be left out, so nobody is told to. */
function adviceFor(homeless: readonly string[], required: readonly string[], imagesToo: boolean): string {
  const needed = homeless.filter((field) => required.includes(field))
  const free = homeless.filter((field) => !required.includes(field))
  const ask = `Ask the service to add ${homeless.length + Number(imagesToo) === 1 ? 'it' : 'them'} to the template`
  const ways = [ask]
  if (needed.length === 0) {
    const leave = free.length > 0 ? [`take ${listed(free)} out of the file and of columns`] : []
    if (imagesToo) leave.push('send the list without images, if its credentials show none')
    ways.push(leave.join(' and '))
  }
  if (!imagesToo) ways.push('use batch.mode json')
  const end = ways.length > 1 ? `${ways.slice(0, -1).join(', ')}, or ${ways.at(-1)}.` : `${ways[0]}.`
  const why =
    needed.length > 0
      ? ` ${listed(needed)} cannot be left out, because the course requires ${needed.length === 1 ? 'it' : 'them'}.`
      : ''
  return end + why
}

function listed(fields: readonly string[]): string {
  return fields.map((field) => `“${field}”`).join(', ')
}
