// Whether an address is this machine's own, where nobody listens on the way. Pure.

/** @param host as a URL or a setting has it: localhost, 127.0.0.1, ::1 or [::1] */
export function isThisMachine(host: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host)
}
