// One certificate, from the service into the folder and onto its list.

import type { DownloadCredential } from '#src/issuer/credential-download.ts'
import type { Clock } from '#src/time/clock.ts'
import type { DownloadFolder } from './download-folder.ts'
import { folderFault } from './download-folder-error.ts'
import { fileStem } from './file-stem.ts'
import type { KeptFile } from './manifest.ts'
import { openPartFile } from './part-file.ts'

// The service names no limit. Certificates are a page or two of some megabytes at most; ten times that is no certificate but a fault, and
// a few thousand of those would fill a disk.
const mostBytesOfOne = 50_000_000

export interface FetchTools {
  download: DownloadCredential
  folder: DownloadFolder
  clock: Pick<Clock, 'now'>
  signal: AbortSignal
  /** Default 50 000 000. */
  mostBytes?: number
}

/** `there` is what an earlier call brought: nothing was asked for it. */
export interface FetchedFile extends KeptFile {
  standing: 'fetched' | 'there'
}

/**
 * Brings the certificate with this credential_id or entity_uuid, unless the list has it and the file is there as it came. When it resolves,
 * file and list are on the disk; whenever the process ends before, the same call again does what is missing. Two calls for one id must not
 * run at once in one process.
 * @throws what DownloadCredential throws; FileTooLargeError; NoCertificateError; DownloadFolderError, which would be the same for the next file; the signal's reason
 */
export async function fetchCertificate(id: string, tools: FetchTools): Promise<FetchedFile> {
  const { download, folder, clock, signal, mostBytes = mostBytesOfOne } = tools
  const { path, manifest } = folder
  signal.throwIfAborted()
  const there = await onList(path, () => manifest.holds(id))
  if (there) return { ...there, standing: 'there' }
  await using part = openPartFile({ folder: path, stem: fileStem(id), mostBytes, signal })
  const { contentType } = await download(id, part)
  const { file, sha256, size } = await part.keep(contentType)
  const kept: KeptFile = { id, file, sha256, size, contentType, fetchedAt: clock.now().toISOString() }
  await onList(path, () => manifest.add(kept))
  return { ...kept, standing: 'fetched' }
}

async function onList<Result>(path: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw folderFault(path, error)
  }
}
