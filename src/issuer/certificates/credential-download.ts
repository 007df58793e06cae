// Downloads a credential from the service's download endpoint.

import type { ReadResult } from '../classify-read.ts'
import type { Download } from '../courses/sample-downloads.ts'
import type { Endpoint } from '../endpoint.ts'
import type { HttpAnswer } from '../http/exchange.ts'
import type { RetryingRead } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { classifyFile } from './classify-file.ts'
import { decompressFile } from './decompress-file.ts'

/**
 * Returns the credential with this entity_uuid or credential_id. The format of the answer is not documented, so the
 * bytes are returned unchanged; only an envelope that reports an error is treated as an error. The whole file is kept
 * in memory: a certificate is a few megabytes at most.
 * @throws ServiceRefusedError (404 for an unknown id), UnusableIdError, CompressedFileError, and the other errors of
 * the reader
 */
export type DownloadCredential = (id: string) => Promise<Download>

const deadlineMs = 300_000

export function openCredentialDownload(endpoint: Endpoint, retryingRead: RetryingRead): DownloadCredential {
  return async (id) =>
    retryingRead(endpoint, { ...routeTo('credential-download', id), wants: 'file', deadlineMs }, readCredential)
}

function readCredential(answer: HttpAnswer, endpoint: string): ReadResult<Download> {
  const { headers, sentSecrets } = answer
  try {
    const file = decompressFile(answer.bytes ?? Buffer.alloc(0), headers['content-encoding'])
    const result = classifyFile(file, endpoint, sentSecrets)
    if (result.kind !== 'done') return result
    return { kind: 'done', found: { contentType: headers['content-type'] ?? '', bytes: file } }
  } catch (error) {
    // Another attempt would return the same bytes.
    return { kind: 'refused', error: error as Error }
  }
}
