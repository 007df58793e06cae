// Recognizes a status of success. Pure.

/** Redirects are not followed, so a status of 3xx is no success. */
export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300
}
