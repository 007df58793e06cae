// Downloads a credential from the service itself, byte by byte as it comes.

import { type Downloaded, type DownloadSink, openSieve } from './download-sink.ts'
import type { Endpoint } from './endpoint.ts'
import { judgeFile } from './file-verdict.ts'
import type { AskAgain } from './reader.ts'
import { routeTo } from './routes.ts'

/**
 * Writes the credential with this entity_uuid or credential_id into `into`, and tells type and length. The form of the answer is not
 * documented: what comes is kept as it comes, but an envelope that says an error is one. A try that breaks off is begun anew, `into.begin` tells.
 * Throws ServiceRefusedError (404 for an unknown id), UnusableIdError, what `into` throws, and what else Reader throws; `into` may then hold a part.
 */
export type DownloadCredential = (id: string, into: DownloadSink) => Promise<Downloaded>

const deadlineMs = 300_000

export function openCredentialDownload(endpoint: Endpoint, ask: AskAgain): DownloadCredential {
  return async (id, into) => {
    const sink = openSieve(into)
    const request = { ...routeTo('credential-download', id), wants: 'file', sink, deadlineMs } as const
    try {
      await ask(endpoint, request, ({ confidences }, name) => judgeFile(sink.held(), name, confidences))
      return await sink.end()
    } finally {
      await sink.settled()
    }
  }
}
