// Which ending a downloaded file's name should have: by its content where that tells, else by its content type.

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

/** Such as `.xlsx`; `.bin` when neither tells. Many a server calls every file application/octet-stream, or a workbook a ZIP. Throws nothing. */
export async function endingOf({ contentType, bytes }: { contentType: string; bytes: Buffer }): Promise<string> {
  const begins = (...signs: number[]) => signs.every((sign, at) => bytes[at] === sign)
  if (begins(0x50, 0x4b, 0x03, 0x04)) return (await isWorkbook(bytes)) ? '.xlsx' : '.zip'
  if (begins(0x25, 0x50, 0x44, 0x46)) return '.pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47)) return '.png'
  if (begins(0xff, 0xd8, 0xff)) return '.jpg'
  return byType[(contentType.split(';')[0] ?? '').trim().toLowerCase()] ?? '.bin'
}

/** By its table of contents: the name of a workbook's part may stand anywhere in the bytes of a ZIP that holds a workbook. */
async function isWorkbook(bytes: Buffer): Promise<boolean> {
  try {
    const zip = await openZip(bytes, sourceLimits, refusalsOf('sample'))
    const found = zip.entries.some((entry) => entry.fileName.toLowerCase() === 'xl/workbook.xml')
    zip.close()
    return found
  } catch {
    return false
  }
}
