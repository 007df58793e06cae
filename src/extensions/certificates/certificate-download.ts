// Downloads certificates from the service: through the download endpoint or, if that responds with 404, through the
// link in the report while it is fresh.

import { allStatusIds } from '#src/domain/credential/report-status.ts'
import type { DownloadCredential } from '#src/issuer/certificates/credential-download.ts'
import { ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import type { Clock } from '#src/platform/time/clock.ts'

// A link expires three minutes after it was read from the report. The margin leaves time for the request itself.
const freshMs = 150_000
// No limit here: the sink that receives the file limits its size in both cases.
const maxBytes = Number.MAX_SAFE_INTEGER

export interface CertificateTools {
  issuer: Pick<Issuer, 'downloadCredential' | 'downloadByLink' | 'reportPage'>
  /** The hosts that a link may point to; see `certificateHosts`. */
  hosts: readonly string[]
  clock: Pick<Clock, 'monotonicMs'>
}

/**
 * Behaves like the download endpoint, except that after a 404 for a credential_id it reads the link from the report and
 * follows it immediately.
 * @throws whatever DownloadCredential throws; also if the link is not allowed, or if the service became unavailable in
 * the meantime
 */
export function openCertificateDownload({ issuer, hosts, clock }: CertificateTools): DownloadCredential {
  async function freshLink(id: string): Promise<{ link: string; isFresh: () => boolean } | null> {
    const requestedAtMs = clock.monotonicMs()
    const search = { credential_id: id, issued_status_id: allStatusIds }
    const { items } = await issuer.reportPage({ search, recordsPerPage: 10 })
    // It is not documented whether the service applies this search key, or whether it compares the whole value.
    const link = items.find((item) => item.credential_id === id)?.certificate_path?.trim()
    const isFresh = () => clock.monotonicMs() - requestedAtMs < freshMs
    return link ? { link, isFresh } : null
  }
  return async (id, sink) => {
    try {
      return await issuer.downloadCredential(id, sink)
    } catch (error) {
      if (!isRefusal(error) || error.status !== 404) throw error
      const found = await freshLink(id)
      if (!found) throw error
      const { link, isFresh } = found
      return await issuer.downloadByLink(link, sink, { hosts, isFresh, maxBytes }).catch((fault) => {
        // The refusal by the download endpoint is more useful than that of a link that the user has never seen.
        throw isRefusal(fault) || !isFresh() ? error : fault
      })
    }
  }
}

function isRefusal(error: unknown): error is ServiceRefusedError {
  return error instanceof ServiceRefusedError
}

/** Returns the configured hosts, or the service's host if none are configured. Pure. */
export function certificateHosts(settings: {
  baseUrl: string
  file: { service: { certificateHosts: readonly string[] } }
}) {
  const { certificateHosts: hosts } = settings.file.service
  return hosts.length > 0 ? hosts : [new URL(settings.baseUrl).host]
}
