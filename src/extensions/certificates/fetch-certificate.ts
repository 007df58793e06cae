// Fetches one certificate from the service, stores it in the download folder and adds it to the manifest.

import { createHash } from 'node:crypto'
import type { DownloadCredential } from '#src/issuer/certificates/credential-download.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { DownloadFolder } from './download-folder.ts'
import { folderFault } from './download-folder-error.ts'
import type { StoredFile } from './manifest.ts'
import { storeCertificate } from './store-certificate.ts'

// The service documents no limit. A certificate is one or two pages, a few megabytes at most. A file ten times that
// size is an error, and a few thousand of them would fill a disk.
const defaultMaxBytes = 50_000_000

export interface FetchTools {
  download: DownloadCredential
  folder: DownloadFolder
  clock: Pick<Clock, 'now'>
  signal: AbortSignal
  /** Default 50 000 000. */
  maxBytes?: number
}

/** `there` means that an earlier call fetched the file, and no request was made. */
export interface FetchedFile extends StoredFile {
  status: 'fetched' | 'there'
}

/**
 * Fetches the certificate with this credential_id or entity_uuid, unless the manifest lists it and its file is
 * unchanged. When the promise resolves, the file and the manifest are on disk. If the process ends before that, another
 * call does what is missing. A process must not run two calls for the same id at the same time.
 * @throws whatever DownloadCredential throws; FileTooLargeError; NotACertificateError; DownloadFolderError, which would
 * recur for every other file; the signal's reason
 */
export async function fetchCertificate(id: string, tools: FetchTools): Promise<FetchedFile> {
  const { download, folder, clock, signal, maxBytes = defaultMaxBytes } = tools
  const { path, manifest } = folder
  signal.throwIfAborted()
  const stored = await withFolderFault(path, () => manifest.findIntact(id))
  if (stored) return { ...stored, status: 'there' }
  signal.throwIfAborted()
  const certificate = await unlessAborted(download(id), signal)
  const { file, sha256, size } = await storeCertificate(certificate, { folder: path, stem: fileStem(id), maxBytes })
  const { contentType } = certificate
  const entry: StoredFile = { id, file, sha256, size, contentType, fetchedAt: clock.now().toISOString() }
  await withFolderFault(path, () => manifest.add(entry))
  return { ...entry, status: 'fetched' }
}

/** Stops waiting for the call when the signal is aborted. */
async function unlessAborted<Result>(call: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([call, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

async function withFolderFault<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw folderFault(path, error)
  }
}

/**
 * Returns the file name for an id, without the extension: the id itself if it consists of letters, digits and hyphens,
 * as the service's ids do. Ids also come from the service's responses, so any other id (such as a path) is replaced by
 * its hash, which is still different for each id. Pure.
 */
export function fileStem(id: string): string {
  if (/^[0-9a-z][0-9a-z-]{0,79}$/i.test(id)) return id
  return `id-${createHash('sha256').update(id).digest('hex').slice(0, 32)}`
}
