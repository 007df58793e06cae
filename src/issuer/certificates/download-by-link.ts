// Downloads a certificate over the network, by its link from the report (certificate_path). The link expires three
// minutes after the report was read.

import { classifyRead, type ReadResult, ServiceRefusedError } from '#src/issuer/classify-read.ts'
import type { Endpoint } from '#src/issuer/endpoint.ts'
import { parseBaseUrl } from '#src/issuer/http/base-url.ts'
import type { Exchange } from '#src/issuer/http/exchange.ts'
import { ServiceUnreachableError } from '#src/issuer/service-unreachable-error.ts'
import { nextDelay } from '#src/platform/backoff.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { classifyFile } from './classify-file.ts'
import { type Downloaded, type DownloadSink, type EnvelopeFilter, openEnvelopeFilter } from './download-sink.ts'

export interface LinkOptions {
  /** Allowed hosts from the configuration, each with its port unless that is the default port. */
  hosts: readonly string[]
  /** Maximum file size. Default 32 MiB. */
  maxBytes?: number
  /** Milliseconds for each attempt. Default 60 000. */
  deadlineMs?: number
  /** Whether the link may still be requested; checked immediately before each request. Default: always. */
  isFresh?: () => boolean
}

/**
 * Downloads the file at `link` into `sink`. Sends no token. Follows at most three redirects, and only to allowed hosts.
 * @throws LinkNotAllowedError before anything is requested from the host in question
 * @throws ServiceRefusedError if the link has expired (read the report again) or the service refuses it
 * @throws ServiceUnreachableError after three attempts; immediately if the file is too large or the link is no longer
 * fresh
 * @throws any error that `sink` throws
 */
export type DownloadByLink = (link: string, sink: DownloadSink, options: LinkOptions) => Promise<Downloaded>

const maxAttempts = 3
const maxRedirects = 3
const backoff = { baseMs: 500, capMs: 5_000, jitter: 0.5 }

export function createLinkDownloader(endpoint: Endpoint, clock: Clock, random: () => number): DownloadByLink {
  async function fetchOnce(
    start: LinkAddress,
    filter: EnvelopeFilter,
    options: LinkOptions,
  ): Promise<ReadResult<null>> {
    const { maxBytes = 32 * 1024 * 1024, deadlineMs = 60_000, isFresh = () => true } = options
    const exchange = await follow(start, options, ({ origin, path }) =>
      endpoint.call(() =>
        isFresh()
          ? { lane: 'read', method: 'GET', origin, path, wants: 'file', sink: filter, maxBytes, deadlineMs }
          : null,
      ),
    )
    return classifyRead(exchange, endpoint.name, ({ sentSecrets }, name) =>
      classifyFile(filter.held(), name, sentSecrets),
    )
  }

  return async (link, sink, options) => {
    const start = linkAddress(link, options.hosts)
    const filter = openEnvelopeFilter(sink)
    try {
      for (let attempt = 1; ; attempt++) {
        const result = await fetchOnce(start, filter, options)
        if (result.kind === 'done') return await filter.end()
        if (result.kind === 'token-refused') throw new ServiceRefusedError(401, endpoint.name, result.words)
        if (result.kind === 'refused') throw result.error
        if (attempt >= maxAttempts || options.isFresh?.() === false)
          throw result.error ?? new ServiceUnreachableError(endpoint.name, result.problem, attempt)
        if (!result.throttled) await clock.sleep(nextDelay(attempt, backoff, random))
      }
    } finally {
      await filter.settled()
    }
  }
}

/**
 * Returns the exchange at the end of the redirects. If there are too many redirects, or one has no target, the last
 * redirect itself is returned.
 */
async function follow(
  start: LinkAddress,
  { hosts }: LinkOptions,
  request: (address: LinkAddress) => Promise<Exchange | null>,
): Promise<Exchange | null> {
  let address = start
  for (let redirects = 0; ; redirects++) {
    const exchange = await request(address)
    if (exchange?.kind !== 'answer' || exchange.status < 300 || exchange.status >= 400) return exchange
    const { location } = exchange.headers
    if (!location || redirects >= maxRedirects) return exchange
    address = linkAddress(location, hosts, address.url)
  }
}

// Parses a link from the report, and checks that it leads to one of the allowed hosts, which come from the
// configuration only. Pure.

interface LinkAddress {
  /** For example `https://files.example`. */
  origin: string
  /** With the query, without the fragment. */
  path: string
  /** The complete URL, against which a redirect is resolved. */
  url: URL
}

/**
 * Parses a link, or a redirect that came from the address `from`.
 * @param hosts the allowed hosts, such as `files.example` or, with a non-default port, `files.example:8443`
 * @throws LinkNotAllowedError, which never repeats the link, because anyone who has the link can get the credential
 */
export function linkAddress(link: string, hosts: readonly string[], from?: URL): LinkAddress {
  const refusal = (problem: string) => new LinkNotAllowedError(problem, from ? 'redirect' : 'link')
  const url = URL.parse(link.trim(), from?.href)
  if (!url) throw refusal('it is not a URL')
  if (url.username || url.password) throw refusal('it contains a user name or password')
  if (!hosts.some((host) => host.trim().toLowerCase() === url.host))
    throw refusal(`its host ${url.host.slice(0, 100)} is not among the allowed hosts`)
  try {
    parseBaseUrl(url.origin)
  } catch {
    throw refusal('it is not https:// (http:// is accepted for this machine only)')
  }
  return { origin: url.origin, path: url.pathname + url.search, url }
}

// Thrown for a link from the service's answers that must not be followed.

export class LinkNotAllowedError extends Error {
  override name = 'LinkNotAllowedError'

  constructor(problem: string, what: 'link' | 'redirect' = 'link') {
    super(
      `The certificate's ${what} was not followed, and nothing was requested from its host: ${problem}. If the host belongs to the service, allow it in service.certificateHosts; otherwise download the credential by its id.`,
    )
  }
}
