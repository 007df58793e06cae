// Parses the service's address, and rejects addresses over which keys or personal data would be sent unencrypted. Pure.

export interface BaseUrl {
  /** Scheme, host and port, such as `https://service.example`. */
  origin: string
  /** Path prefix without a trailing slash; empty if there is none. */
  prefix: string
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Splits a base address.
 * @throws BaseUrlError, without repeating the address, which may contain a password
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.parse(text.trim())
  if (!url) throw new BaseUrlError('is not a URL')
  if (url.username || url.password) throw new BaseUrlError('must not contain a user name or password')
  if (url.search || url.hash) throw new BaseUrlError('must not contain a query or fragment')
  const plainLoopback = url.protocol === 'http:' && loopback.test(url.hostname)
  if (url.protocol !== 'https:' && !plainLoopback) {
    throw new BaseUrlError('must begin with https:// (http:// is accepted for this machine only)')
  }
  return { origin: url.origin, prefix: url.pathname.replace(/(?<!\/)\/+$/, '') }
}

/** Thrown when the configured address of the service cannot be used. */
export class BaseUrlError extends Error {
  override name = 'BaseUrlError'

  constructor(problem: string) {
    super(`CREDSYNC_BASE_URL ${problem}. Write it like https://service.example or https://service.example/prefix.`)
  }
}
