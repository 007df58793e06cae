// The headers of every answer: a browser runs and shows nothing but what the console itself serves, in no frame, and
// keeps no copy. Pure.

const contentSecurity = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

export const securityHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': contentSecurity,
  'x-content-type-options': 'nosniff',
  // Not `no-referrer`, with which browsers send forms without saying which page they come from.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cache-control': 'no-store',
}
