// Says what is wrong with a mail server, from nodemailer's errors. The texts of servers are left out, because they
// contain addresses, and sometimes more. Pure.

/** The parts of nodemailer's errors that are used. */
export interface MailError {
  code?: string | undefined
  /** The code before nodemailer replaced it. */
  originalCode?: string | undefined
  command?: string | undefined
  responseCode?: number | undefined
}

const loginRefused = 'refuses the login: check `user` and the password, or with oauth2 the token and its scope'

const sentences: Record<string, string> = {
  EAUTH: loginRefused,
  EOAUTH2:
    'cannot be logged in to, because there is no access token: check `tokenUrl`, `clientId`, `clientSecret` and `refreshToken`',
  ETLS: 'does not offer STARTTLS, or its certificate is not trusted: set `tls` to what it supports',
  EDNS: 'is not known by this name: check `host`',
  ECONNECTION: 'cannot be reached: check `host` and `port`, and the firewall',
  ESOCKET: 'cannot be reached, or its certificate is not trusted: check `host`, `port` and `tls`',
  ETIMEDOUT: 'does not answer in time: check `host`, `port` and `tls`, and the firewall',
  EENVELOPE: 'refuses the addresses: check `from` and `email`, and whether it needs a login (`auth`)',
  EMESSAGE: 'refuses the message',
}

/** The answers that are about the login or the encryption, whatever the server was asked (RFC 4954, 6). */
const loginSentences: Record<number, string> = {
  530: 'needs a login or encryption: check `auth`, `port` and `tls`',
  534: 'does not accept this kind of login: set another `auth`, or a password for applications',
  535: loginRefused,
  538: 'needs encryption: set `tls` to starttls or tls',
}

/** Returns whether the server refuses this message for good. 552 before it has come says that it is too large. */
export function isRefusal({ code, command, responseCode = 0 }: MailError): boolean {
  if (responseCode in loginSentences) return false
  return (code === 'EMESSAGE' && responseCode >= 500) || (command === 'MAIL FROM' && responseCode === 552)
}

export function problemOf(host: string, error: MailError): string {
  const { responseCode = 0 } = error
  const code = error.originalCode === 'EOAUTH2' ? error.originalCode : error.code
  const shown = code !== undefined && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'FAILED'
  const isForNow = responseCode >= 400 && responseCode < 500
  const sentence = isForNow ? 'does not take the message yet' : (loginSentences[responseCode] ?? sentences[shown])
  const status = responseCode > 0 ? `, ${responseCode}` : ''
  return `the mail server ${host} ${sentence ?? 'did not accept the message'} (${shown}${status})`
}
