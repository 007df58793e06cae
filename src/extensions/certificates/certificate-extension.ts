// Chooses the file extension of a certificate from its first bytes or, if they are not recognized, from the content
// type. Pure.

import { isWebPage } from './non-certificate-content.ts'

const byType: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'text/html': 'html',
}

/** The number of bytes at the start of a file that are examined. */
export const headBytes = 512

/**
 * For example `pdf`; `bin` if neither is recognized. The format of the download is not documented, and many servers
 * send every file as application/octet-stream, so the bytes take precedence over the type.
 * @param head the first bytes of the file: `headBytes` of them, or all if there are fewer
 */
export function certificateExtension(head: Buffer, contentType: string): string {
  const startsWith = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (startsWith(0x25, 0x50, 0x44, 0x46)) return 'pdf'
  if (startsWith(0x89, 0x50, 0x4e, 0x47)) return 'png'
  if (startsWith(0xff, 0xd8, 0xff)) return 'jpg'
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  if (isWebPage(head.toString('utf8'))) return 'html'
  return byType[(contentType.split(';')[0] ?? '').trim().toLowerCase()] ?? 'bin'
}
