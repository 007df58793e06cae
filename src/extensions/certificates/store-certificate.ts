// Stores a downloaded certificate: it is written to disk under a hidden name, and renamed, with an extension that its
// content decides, once it is complete.

import { createHash, randomUUID } from 'node:crypto'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '#src/files/tables/make-folders.ts'
import type { Download } from '#src/issuer/courses/sample-downloads.ts'
import { removeAbandonedParts } from '#src/platform/remove-abandoned-parts.ts'
import { folderFault } from './download-folder-error.ts'
import { nonCertificateContent } from './non-certificate-content.ts'

interface StoreOptions {
  folder: string
  /** The file name without its extension. */
  stem: string
  maxBytes: number
}

/**
 * Replaces any file of that name. What a killed process leaves is removed by a later download.
 * @throws DownloadFolderError, FileTooLargeError, NotACertificateError
 */
export async function storeCertificate(
  { bytes, contentType }: Download,
  { folder, stem, maxBytes }: StoreOptions,
): Promise<{ file: string; sha256: string; size: number }> {
  if (bytes.length > maxBytes) throw new FileTooLargeError(maxBytes)
  const head = bytes.subarray(0, headBytes)
  const content = nonCertificateContent(head, bytes.length)
  if (content !== null) throw new NotACertificateError(content)
  // The random part separates two processes that use the same folder. removeAbandonedParts recognizes the name.
  const name = `.${stem}.${randomUUID().slice(0, 8)}.part`
  const part = join(folder, name)
  const file = `${stem}.${certificateExtension(head, contentType)}`
  try {
    await using handle = await open(part, 'wx', 0o600)
    await removeAbandonedParts(folder, { ownName: name })
    await handle.writeFile(bytes)
    await handle.sync()
    await rename(part, join(folder, file))
    await flushFolder(folder)
  } catch (error) {
    await rm(part, { force: true }).catch(() => {})
    throw folderFault(folder, error)
  }
  return { file, sha256: createHash('sha256').update(bytes).digest('hex'), size: bytes.length }
}

const byType: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/zip': 'zip',
  'application/x-zip-compressed': 'zip',
  'text/html': 'html',
}

/** The number of bytes at the start of a file that are examined. */
const headBytes = 512

/**
 * Chooses the file extension of a certificate from its first bytes or, if they are not recognized, from the content
 * type. For example `pdf`; `bin` if neither is recognized. The format of the download is not documented, and many
 * servers send every file as application/octet-stream, so the bytes take precedence over the type. Pure.
 * @param head the first bytes of the file: `headBytes` of them, or all if there are fewer
 */
export function certificateExtension(head: Buffer, contentType: string): string {
  const startsWith = (...bytes: number[]) => bytes.every((byte, at) => head[at] === byte)
  if (startsWith(0x25, 0x50, 0x44, 0x46)) return 'pdf'
  if (startsWith(0x89, 0x50, 0x4e, 0x47)) return 'png'
  if (startsWith(0xff, 0xd8, 0xff)) return 'jpg'
  if (startsWith(0x50, 0x4b, 0x03, 0x04)) return 'zip'
  return byType[(contentType.split(';')[0] ?? '').trim().toLowerCase()] ?? 'bin'
}

/** Thrown if a download is larger than any certificate should be. */
class FileTooLargeError extends Error {
  override readonly name = 'FileTooLargeError'

  constructor(maxBytes: number) {
    super(
      `The service sent more than the ${Math.floor(maxBytes / 1_000_000)} MB that are accepted for one certificate, so the file was not kept. Download it in the portal and check its content.`,
    )
  }
}

/** Thrown if a download cannot be a certificate. */
class NotACertificateError extends Error {
  override readonly name = 'NotACertificateError'

  /** @param content what the service sent, such as `a web page` */
  constructor(content: string) {
    super(
      `Instead of a certificate the service sent ${content}, which was not kept. The service may be under maintenance, or a proxy may have answered for it: try again later, and check the portal if this persists.`,
    )
  }
}
