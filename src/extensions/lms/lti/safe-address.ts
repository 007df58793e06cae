// Decides which URLs a token may be sent to. Pure.

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/**
 * Returns the parsed URL if a token may be sent to it: https, or http on this machine, without a user name or password.
 * Otherwise null.
 */
export function safeAddress(text: string): URL | null {
  const url = URL.parse(text)
  if (!url || url.username || url.password) return null
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.test(url.hostname)) ? url : null
}
