// Whether an address is this machine's own, where nobody listens on the way. Pure.

/** @param host as a URL or a setting has it: localhost, 127.0.0.1, ::1 or [::1] */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
}

/** What is to be said of an address that a token travels to; nothing where nobody can listen on the way. */
export function openToRead(url: string): { notices?: string[] } {
  const { protocol, hostname } = new URL(url)
  if (protocol === 'https:' || isThisMachine(hostname)) return {}
  return {
    notices: ['its address begins with http://, so the token can be read on the way; set the one with https://'],
  }
}
