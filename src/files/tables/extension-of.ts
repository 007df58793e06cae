// Chooses the extension for a downloaded sample, by its content: many servers label every file
// application/octet-stream, or a workbook as a ZIP. Pure.

import { refusalsOf } from './source-error.ts'
import { sourceLimits } from './source-limits.ts'
import { openZip } from './zip/open-zip.ts'

/** Returns `.xlsx`, `.zip`, or `.bin` for anything that is not one of them. Never throws. */
export async function extensionOf(bytes: Buffer): Promise<string> {
  try {
    const zip = await openZip(bytes, { limits: sourceLimits, refuse: refusalsOf('sample') })
    zip.close()
    return zip.isWorkbook ? '.xlsx' : '.zip'
  } catch {
    return '.bin'
  }
}
