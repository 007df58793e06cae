// A file on its way: written under a hidden name, hashed as it comes, and given its own name when it is whole.

import { createHash, type Hash, randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { DownloadSink } from '#src/issuer/download-sink.ts'
import { flushFolder } from '#src/sources/flush-folder.ts'
import { certificateEnding, headBytes } from './certificate-ending.ts'
import { folderFault } from './download-folder-error.ts'
import { FileTooLargeError } from './file-too-large-error.ts'
import { NoCertificateError } from './no-certificate-error.ts'
import { surelyNoCertificate } from './surely-no-certificate.ts'

/** What a part file is called: `.STEM.XXXXXXXX.part`. The random part keeps two processes in one folder apart. */
export const partName = /^\.[^/]+\.[0-9a-f]{8}\.part$/

export interface PartFile extends DownloadSink, AsyncDisposable {
  /** Flushes, and gives the file its name: the stem and an ending by its content. A file of that name is replaced. @throws NoCertificateError */
  keep(contentType: string): Promise<{ file: string; sha256: string; size: number }>
}

export interface PartFileOptions {
  folder: string
  /** Name without ending. */
  stem: string
  mostBytes: number
  /** When it is aborted the part goes at once, for the process may end in the same moment. */
  signal: AbortSignal
}

/** Nothing is on the disk before `begin`. Its verbs throw DownloadFolderError, FileTooLargeError, or the signal's reason; what was not kept is removed at the end. */
export function openPartFile({ folder, stem, mostBytes, signal }: PartFileOptions): PartFile {
  const part = join(folder, `.${stem}.${randomUUID().slice(0, 8)}.part`)
  let handle: FileHandle | null = null
  let hash: Hash = createHash('sha256')
  let head = Buffer.alloc(0)
  let size = 0
  const dropAtOnce = () => rmSync(part, { force: true })
  signal.addEventListener('abort', dropAtOnce, { once: true })

  async function close(): Promise<void> {
    const open = handle
    handle = null
    await open?.close()
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
        hash = createHash('sha256')
        head = Buffer.alloc(0)
        size = 0
      }),
    async write(piece) {
      size += piece.length
      if (size > mostBytes) throw new FileTooLargeError(mostBytes)
      hash.update(piece)
      if (head.length < headBytes) head = Buffer.concat([head, piece.subarray(0, headBytes - head.length)])
      await onDisk(async () => void (await handle?.writeFile(piece)))
    },
    async keep(contentType) {
      const what = surelyNoCertificate(head, size)
      if (what !== null) throw new NoCertificateError(what)
      return await onDisk(async () => {
        await handle?.sync()
        await close()
        signal.throwIfAborted()
        const file = `${stem}.${certificateEnding(head, contentType)}`
        await rename(part, join(folder, file))
        await flushFolder(folder)
        return { file, sha256: hash.digest('hex'), size }
      })
    },
    async [Symbol.asyncDispose]() {
      signal.removeEventListener('abort', dropAtOnce)
      await close().catch(() => {})
      await rm(part, { force: true }).catch(() => {})
    },
  }
}
