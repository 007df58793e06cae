// Fetches a certificate by its link out of the report (certificate_path), which dies three minutes after the report was read.

import { nextDelay } from '#src/retry/backoff.ts'
import type { Clock } from '#src/time/clock.ts'
import { type Downloaded, type DownloadSink, openSieve, type Sieve } from './download-sink.ts'
import type { Endpoint } from './endpoint.ts'
import type { Exchange } from './exchange.ts'
import { judgeFile } from './file-verdict.ts'
import { type LinkAddress, linkAddress } from './link-address.ts'
import { judgeRead, type ReadVerdict } from './read-verdict.ts'
import { ServiceRefusedError } from './service-refused-error.ts'
import { ServiceUnreachableError } from './service-unreachable-error.ts'

export interface LinkOptions {
  /** Hosts that may be asked, from the configuration, each with its port where that is not the usual one. */
  hosts: readonly string[]
  /** Longest file. Default 32 MiB. */
  maxBytes?: number
  /** Milliseconds for one try. Default 60 000. */
  deadlineMs?: number
  /** Whether the link may still be asked; looked at in the moment in which it would be. Default: always. */
  isFresh?: () => boolean
}

/**
 * Writes the file behind `link` into `into`. Sends no token. Redirects are followed three times at most, and to the given hosts only.
 * Throws LinkNotAllowedError before anything is asked there; ServiceRefusedError when the link is dead (read the report again) or refused;
 * ServiceUnreachableError after three tries, or at once for a file that is too long, or for a link that is not fresh any more; what `into` throws.
 */
export type DownloadByLink = (link: string, into: DownloadSink, options: LinkOptions) => Promise<Downloaded>

const tries = 3
const mostRedirects = 3
const curve = { baseMs: 500, capMs: 5_000, jitter: 0.5 }

export function openCertificateLinks(endpoint: Endpoint, clock: Clock, random: () => number): DownloadByLink {
  async function fetchOnce(first: LinkAddress, sink: Sieve, options: LinkOptions): Promise<ReadVerdict<null>> {
    const { maxBytes = 32 * 1024 * 1024, deadlineMs = 60_000, isFresh = () => true } = options
    const exchange = await follow(first, options, ({ origin, path }) =>
      endpoint.call(() =>
        isFresh() ? { lane: 'read', method: 'GET', origin, path, wants: 'file', sink, maxBytes, deadlineMs } : null,
      ),
    )
    return judgeRead(exchange, endpoint.name, ({ confidences }, name) => judgeFile(sink.held(), name, confidences))
  }

  return async (link, into, options) => {
    const first = linkAddress(link, options.hosts)
    const sink = openSieve(into)
    try {
      for (let attempt = 1; ; attempt++) {
        const verdict = await fetchOnce(first, sink, options)
        if (verdict.kind === 'done') return await sink.end()
        if (verdict.kind === 'token-refused') throw new ServiceRefusedError(401, endpoint.name, verdict.words)
        if (verdict.kind === 'refused') throw verdict.error
        if (attempt >= tries || options.isFresh?.() === false)
          throw verdict.error ?? new ServiceUnreachableError(endpoint.name, verdict.seen, attempt)
        if (!verdict.throttled) await clock.sleep(nextDelay(attempt, curve, random))
      }
    } finally {
      await sink.settled()
    }
  }
}

/** The exchange at the end of the redirects; one that has too many of them, or none to follow, is given as it is. */
async function follow(
  first: LinkAddress,
  { hosts }: LinkOptions,
  ask: (address: LinkAddress) => Promise<Exchange | null>,
): Promise<Exchange | null> {
  let address = first
  for (let redirects = 0; ; redirects++) {
    const exchange = await ask(address)
    if (exchange?.kind !== 'answer' || exchange.status < 300 || exchange.status >= 400) return exchange
    const { location } = exchange.headers
    if (!location || redirects >= mostRedirects) return exchange
    address = linkAddress(location, hosts, address.url)
  }
}
