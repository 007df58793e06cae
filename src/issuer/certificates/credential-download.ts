// Downloads a credential from the service's download endpoint, as a stream.

import type { Endpoint } from '../endpoint.ts'
import type { RetryingRead } from '../retrying-reader.ts'
import { routeTo } from '../routes.ts'
import { classifyFile } from './classify-file.ts'
import { type Downloaded, type DownloadSink, openEnvelopeFilter } from './download-sink.ts'

/**
 * Writes the credential with this entity_uuid or credential_id into `sink`, and returns its type and length. The format
 * of the answer is not documented, so the bytes are passed on unchanged; only an envelope that reports an error is
 * treated as an error. After an interrupted attempt the download starts over, with another call of `sink.begin`.
 * @throws ServiceRefusedError (404 for an unknown id), UnusableIdError, any error that `sink` throws, and the other
 * errors of the reader; `sink` may then hold part of the file
 */
export type DownloadCredential = (id: string, sink: DownloadSink) => Promise<Downloaded>

const deadlineMs = 300_000

export function openCredentialDownload(endpoint: Endpoint, retryingRead: RetryingRead): DownloadCredential {
  return async (id, sink) => {
    const filter = openEnvelopeFilter(sink)
    const request = { ...routeTo('credential-download', id), wants: 'file', sink: filter, deadlineMs } as const
    try {
      await retryingRead(endpoint, request, ({ sentSecrets }, name) => classifyFile(filter.held(), name, sentSecrets))
      return await filter.end()
    } finally {
      await filter.settled()
    }
  }
}
