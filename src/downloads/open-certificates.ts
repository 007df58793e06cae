// How a certificate is had: from the service's download, and where that has none, by its link in the report, as long as that is fresh.

import { allStatusIds } from '#src/issuance/report-status.ts'
import type { DownloadCredential } from '#src/issuer/credential-download.ts'
import type { Issuer } from '#src/issuer/issuer.ts'
import { ServiceRefusedError } from '#src/issuer/service-refused-error.ts'
import type { Clock } from '#src/time/clock.ts'

// A link dies three minutes after the report showed it. What is asked for in the last moment would be answered after that.
const freshMs = 150_000
// Whoever takes the file says how long it may be, for both ways alike.
const maxBytes = Number.MAX_SAFE_INTEGER

export interface CertificateTools {
  issuer: Pick<Issuer, 'downloadCredential' | 'downloadByLink' | 'reportPage'>
  /** That a link may lead to; see certificateHosts. */
  hosts: readonly string[]
  clock: Pick<Clock, 'monotonicMs'>
}

/**
 * The same as the service's download. Answers that one 404, and is the id a credential_id, the report is asked for its link there and then.
 * @throws what DownloadCredential throws; a link that is not allowed, and a service that went away meanwhile, are told as such
 */
export function openCertificates({ issuer, hosts, clock }: CertificateTools): DownloadCredential {
  async function freshLink(id: string): Promise<{ link: string; isFresh: () => boolean } | null> {
    const askedMs = clock.monotonicMs()
    const search = { credential_id: id, issued_status_id: allStatusIds }
    const { items } = await issuer.reportPage({ search, spelling: 'both', recordsPerPage: 10 })
    // Whether the service heeds the key, and compares the whole of it, is not documented.
    const link = items.find((item) => item.credential_id === id)?.certificate_path?.trim()
    const isFresh = () => clock.monotonicMs() - askedMs < freshMs
    return link ? { link, isFresh } : null
  }
  return async (id, into) => {
    try {
      return await issuer.downloadCredential(id, into)
    } catch (error) {
      if (!isRefusal(error) || error.status !== 404) throw error
      const found = await freshLink(id)
      if (!found) throw error
      const { link, isFresh } = found
      return await issuer.downloadByLink(link, into, { hosts, isFresh, maxBytes }).catch((fault) => {
        // The first refusal says more than that of a link that nobody has seen.
        throw isRefusal(fault) || !isFresh() ? error : fault
      })
    }
  }
}

function isRefusal(error: unknown): error is ServiceRefusedError {
  return error instanceof ServiceRefusedError
}

/** The hosts of the configuration; without any, that of the service itself. Pure. */
export function certificateHosts(of: { baseUrl: string; file: { service: { certificateHosts: readonly string[] } } }) {
  const { certificateHosts: hosts } = of.file.service
  return hosts.length > 0 ? hosts : [new URL(of.baseUrl).host]
}
