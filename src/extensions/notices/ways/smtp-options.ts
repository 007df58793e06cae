// How nodemailer connects to a mail server, for sending and for the check. Pure.

import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'

/** A mail server that takes longer than this to connect or to greet is as good as away. */
const connectMs = 10_000

/** @param ca the certificate of an authority to trust instead of the usual ones, for tests */
export function connectionOptions({ host, port, tls }: SmtpSettings, ca?: string) {
  return {
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
  }
}

/** What nodemailer gets an access token with. */
export function tokenOptions({ user, clientId, clientSecret, refreshToken, tokenUrl }: SmtpSettings) {
  return { user, clientId, clientSecret, refreshToken, accessUrl: tokenUrl }
}
