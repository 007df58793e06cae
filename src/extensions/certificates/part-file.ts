// A certificate that is being downloaded: written to disk under a hidden name, hashed on the way, and renamed, with an
// extension that its content decides, once it is complete.

import { createHash, type Hash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { flushFolder } from '#src/files/tables/make-folders.ts'
import type { DownloadSink } from '#src/issuer/certificates/download-sink.ts'
import { removeAbandonedParts } from '#src/platform/remove-abandoned-parts.ts'
import { folderFault } from './download-folder-error.ts'
import { nonCertificateContent } from './non-certificate-content.ts'

export interface PartFile extends DownloadSink, AsyncDisposable {
  /**
   * Flushes the file and renames it to the stem, with an extension chosen by its content. Replaces any file of that
   * name.
   * @throws NotACertificateError
   */
  keep(contentType: string): Promise<{ file: string; sha256: string; size: number }>
}

export interface PartFileOptions {
  folder: string
  /** The file name without its extension. */
  stem: string
  maxBytes: number
  /** On abort the partial file is removed synchronously, because the process may end immediately afterwards. */
  signal: AbortSignal
}

/**
 * Nothing is written to disk before `begin`. Disposal removes a file that was not kept.
 * @throws from each of its methods: DownloadFolderError, FileTooLargeError, or the signal's reason
 */
export function openPartFile({ folder, stem, maxBytes, signal }: PartFileOptions): PartFile {
  // The random part separates two processes that use the same folder. removeAbandonedParts recognizes the name.
  const name = `.${stem}.${randomUUID().slice(0, 8)}.part`
  const part = join(folder, name)
  let handle: FileHandle | null = null
  let hash: Hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  const removeNow = () => rmSync(part, { force: true })
  signal.addEventListener('abort', removeNow, { once: true })

  async function close(): Promise<void> {
    const openHandle = handle
    handle = null
    await openHandle?.close()
  }
  async function onDisk<Result>(work: () => Promise<Result>): Promise<Result> {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      signal.throwIfAborted()
      throw folderFault(folder, error)
    }
  }
  return {
    begin: () =>
      onDisk(async () => {
        await close()
        await rm(part, { force: true })
        handle = await open(part, 'wx', 0o600)
        await removeAbandonedParts(folder, { ownName: name })
        hash = createHash('sha256')
        head = Buffer.alloc(0)
        size = 0
      }),
    async write(piece) {
      size += piece.length
      if (size > maxBytes) throw new FileTooLargeError(maxBytes)
      hash.update(piece)
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      await onDisk(async () => void (await handle?.writeFile(piece)))
    },
    async keep(contentType) {
      const content = nonCertificateContent(head, size)
      if (content !== null) throw new NotACertificateError(content)
      return await onDisk(async () => {
        await handle?.sync()
        await close()
        signal.throwIfAborted()
        const file = `${stem}.${certificateExtension(head, contentType)}`
        await rename(part, join(folder, file))
        await flushFolder(folder)
        return { file, sha256: hash.digest('hex'), size }
      })
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', removeNow)
      await close().catch(() => {})
      await rm(part, { force: true }).catch(() => {})
    },
  }
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
