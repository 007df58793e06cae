// Whether a link out of the report may be fetched, and where it then leads. Pure: data says where, configuration says whether.

import { parseBaseUrl } from './base-url.ts'
import { LinkNotAllowedError } from './link-not-allowed-error.ts'

export interface LinkAddress {
  /** Such as `https://files.example`. */
  origin: string
  /** With the query, without a fragment. */
  path: string
  /** The whole of it, against which a redirect is read. */
  url: URL
}

/**
 * Reads a link, or a redirect that came from the address `from`. `hosts` are the allowed ones, such as `files.example` or, with a port other than the usual one,
 * `files.example:8443`. Throws LinkNotAllowedError, which never repeats the link: whoever has it has the credential.
 */
export function linkAddress(link: string, hosts: readonly string[], from?: URL): LinkAddress {
  const refusal = (problem: string) => new LinkNotAllowedError(problem, from ? 'redirect' : 'link')
  const url = URL.parse(link.trim(), from?.href)
  if (!url) throw refusal('it is not a URL')
  if (url.username || url.password) throw refusal('it carries a user name or password')
  if (!hosts.some((host) => host.trim().toLowerCase() === url.host))
    throw refusal(`its host ${url.host.slice(0, 100)} is not among the allowed ones`)
  try {
    parseBaseUrl(url.origin)
  } catch {
    throw refusal('it is not https:// (http:// is accepted for this machine only)')
  }
  return { origin: url.origin, path: url.pathname + url.search, url }
}
