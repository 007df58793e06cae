// Parses a link from the report, and checks that it leads to one of the allowed hosts, which come from the
// configuration only. Pure.

import { parseBaseUrl } from '../http/base-url.ts'
import { LinkNotAllowedError } from './link-not-allowed-error.ts'

export interface LinkAddress {
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
