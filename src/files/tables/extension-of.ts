// Chooses the extension for a downloaded sample, by its content: many servers label every file
// application/octet-stream, or a workbook as a ZIP. Pure.

import { refusalsOf } from './source-error.ts'
import { sourceLimits } from './source-limits.ts'
import { openZip } from './zip/open-zip.ts'

/** Returns `.xlsx`, `.zip`, or `.bin` if it is neither. Never throws. */
export async function extensionOf(bytes: Buffer): Promise<string> {
  if (!bytes.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) return '.bin'
  return (await isWorkbook(bytes)) ? '.xlsx' : '.zip'
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
