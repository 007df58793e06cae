// The file of an upload: a workbook, or a ZIP of one with exactly the images of its rows.

import type { SheetLayout } from './sheet-layout.ts'
import { sheetRows } from './sheet-rows.ts'
import { workbookBytes } from './workbook-bytes.ts'
import { zipBytes } from './zip-bytes.ts'

export interface BatchImage {
  /** Of the content, in hex. */
  sha256: string
  type: 'jpg' | 'png'
  bytes: Buffer
}

export interface MadeFile {
  name: string
  bytes: Buffer
  contentType: string
}

const sheetName = 'recipients.xlsx'

/**
 * Makes the file for `recipients`; `images` are theirs, in the same order, null for one without. A layout without a column for images
 * must not meet any.
 */
export async function uploadFile(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (BatchImage | null)[],
): Promise<MadeFile> {
  const names = images.map((image) => image && nameOf(image))
  const sheet = await workbookBytes(sheetRows(layout, recipients, names))
  // Two people may have the same image; it travels once.
  const travelling = new Map(images.flatMap((image) => (image ? [[nameOf(image), image.bytes] as const] : [])))
  if (travelling.size === 0)
    return {
      name: sheetName,
      bytes: sheet,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    }
  const bytes = await zipBytes([[sheetName, sheet], ...travelling])
  return { name: 'recipients.zip', bytes, contentType: 'application/zip' }
}

// By content and not by the name in the source: two files of a registrar may each have their 1.jpg, and meet in one batch.
function nameOf({ sha256, type }: BatchImage): string {
  return `${sha256.slice(0, 32)}.${type}`
}
