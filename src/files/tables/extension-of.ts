// Chooses the extension for a downloaded file, by its content if that is recognized, otherwise by its content type.
// Pure.

import { refusalsOf } from './source-error.ts'
import { sourceLimits } from './source-limits.ts'
import { openZip } from './zip/open-zip.ts'

const byType: Readonly<Record<string, string>> = {
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.ms-excel': '.xls',
  'application/zip': '.zip',
  'application/x-zip-compressed': '.zip',
  'application/pdf': '.pdf',
  'application/json': '.json',
  'image/png': '.png',
  'image/jpeg': '.jpg',
  'text/csv': '.csv',
  'text/html': '.html',
  'text/plain': '.txt',
}

/**
 * Returns an extension such as `.xlsx`; `.bin` if neither is recognized. The content comes first because many servers
 * label every file application/octet-stream, or a workbook as a ZIP. Never throws.
 */
export async function extensionOf({ contentType, bytes }: { contentType: string; bytes: Buffer }): Promise<string> {
  const beginsWith = (...signs: number[]) => signs.every((sign, at) => bytes[at] === sign)
  if (beginsWith(0x50, 0x4b, 0x03, 0x04)) return (await isWorkbook(bytes)) ? '.xlsx' : '.zip'
  if (beginsWith(0x25, 0x50, 0x44, 0x46)) return '.pdf'
  if (beginsWith(0x89, 0x50, 0x4e, 0x47)) return '.png'
  if (beginsWith(0xff, 0xd8, 0xff)) return '.jpg'
  return byType[(contentType.split(';')[0] ?? '').trim().toLowerCase()] ?? '.bin'
}

/**
 * Checks the table of contents, because the name of a workbook part may occur anywhere in the bytes of a ZIP that
 * contains a workbook.
 */
async function isWorkbook(bytes: Buffer): Promise<boolean> {
  try {
    const zip = await openZip(bytes, { limits: sourceLimits, refuse: refusalsOf('sample') })
    const found = zip.entries.some((entry) => entry.fileName.toLowerCase() === 'xl/workbook.xml')
    zip.close()
    return found
  } catch {
    return false
  }
}
