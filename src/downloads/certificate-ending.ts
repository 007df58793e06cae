// Which ending a certificate's file name gets: by its first bytes where they tell, else by the content type.

import { isWebPage } from './surely-no-certificate.ts'

const byType: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'text/html': 'html',
}

/** How many bytes of a file's beginning are looked at. */
export const headBytes = 512

/**
 * Such as `pdf`; `bin` when neither tells. The form of the download is not documented, and many a server calls every file
 * application/octet-stream, so the bytes are believed before the type. Pure.
 * @param head the first bytes of the file, `headBytes` or all there are
 */
export function certificateEnding(head: Buffer, contentType: string): string {
  const begins = (...signs: number[]) => signs.every((sign, at) => head[at] === sign)
  if (begins(0x25, 0x50, 0x44, 0x46)) return 'pdf'
  if (begins(0x89, 0x50, 0x4e, 0x47)) return 'png'
  if (begins(0xff, 0xd8, 0xff)) return 'jpg'
  if (begins(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (isWebPage(head.toString('utf8'))) return 'html'
  return byType[(contentType.split(';')[0] ?? '').trim().toLowerCase()] ?? 'bin'
}
