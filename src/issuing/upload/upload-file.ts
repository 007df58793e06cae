// Builds the file of an upload in memory: a workbook, or a ZIP with a workbook and exactly the images of its rows.

import type { SheetLayout } from './sheet-layout.ts'
import { sheetRows } from './sheet-rows.ts'
import { workbookBytes } from './workbook-bytes.ts'
import { zipBytes } from './zip-bytes.ts'

export interface BatchImage {
  /** The hash of the content, in hex. */
  sha256: string
  type: 'jpg' | 'png'
  bytes: Buffer
}

export interface UploadFile {
  name: string
  bytes: Buffer
  contentType: string
}

const sheetName = 'recipients.xlsx'

/**
 * @param images one image for each recipient, in the same order; null for a recipient without an image. All must be
 * null if the layout has no image column
 */
export async function uploadFile(
  layout: SheetLayout,
  recipients: readonly Readonly<Record<string, string>>[],
  images: readonly (BatchImage | null)[],
): Promise<UploadFile> {
  const names = images.map((image) => image && nameOf(image))
  const sheet = await workbookBytes(sheetRows(layout, recipients, names))
  // An image that several recipients share is included once.
  const imageFiles = new Map(images.flatMap((image) => (image ? [[nameOf(image), image.bytes] as const] : [])))
  if (imageFiles.size === 0)
    return {
      name: sheetName,
      bytes: sheet,
      contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    }
  const bytes = await zipBytes([[sheetName, sheet], ...imageFiles])
  return { name: 'recipients.zip', bytes, contentType: 'application/zip' }
}

// Images are named by their content and not by the name in the source, because one batch may have rows from two source
// files that each contain a 1.jpg.
function nameOf({ sha256, type }: BatchImage): string {
  return `${sha256.slice(0, 32)}.${type}`
}
