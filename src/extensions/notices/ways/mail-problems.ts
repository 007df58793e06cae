// Says what is wrong with a mail server, from nodemailer's errors. The texts of servers are left out, because they contain
// addresses, and sometimes more. Pure.

import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'

/** The parts of nodemailer's errors that are used. */
export interface MailError {
  code?: string | undefined
  /** The code before nodemailer replaced it. */
  originalCode?: string | undefined
  command?: string | undefined
  responseCode?: number | undefined
  response?: string | undefined
}

const sentences: Record<string, string> = {
  EAUTH: 'refuses the login: check `user` and the password, or with oauth2 the token and its scope',
  EOAUTH2:
    'cannot be logged in to, because there is no access token: check `tokenUrl`, `clientId`, `clientSecret` and `refreshToken`',
  ETLS: 'does not offer STARTTLS, or its certificate is not trusted: set `tls` to what it supports',
  EDNS: 'is not known by this name: check `host`',
  ECONNECTION: 'cannot be reached: check `host` and `port`, and the firewall',
  ESOCKET: 'cannot be reached, or its certificate is not trusted: check `host`, `port` and `tls`',
  ETIMEDOUT: 'does not answer in time: check `host`, `port` and `tls`, and the firewall',
  EENVELOPE: 'refuses the addresses: check `from` and `email`',
  EMESSAGE: 'refuses the message',
}

/** The answers that are about the login, whatever the server was asked (RFC 4954, 6). */
const loginCodes = [530, 534, 535, 538]

const isForNow = (code: number) => code >= 400 && code < 500

/** Returns whether the server refuses this message for good. 552 before it has come says that it is too large. */
export function isRefusal({ code, command, responseCode = 0 }: MailError): boolean {
  if (loginCodes.includes(responseCode)) return false
  return (code === 'EMESSAGE' && responseCode >= 500) || (command === 'MAIL FROM' && responseCode === 552)
}

export function problemOf(smtp: SmtpSettings, error: MailError): string {
  const { responseCode } = error
  const code = error.originalCode === 'EOAUTH2' ? error.originalCode : error.code
  const shown = code !== undefined && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'FAILED'
  const sentence = loginSentence(smtp, error) ?? envelopeSentence(smtp, error) ?? sentences[shown]
  const status = typeof responseCode === 'number' ? `, ${responseCode}` : ''
  return `the mail server ${smtp.host} ${sentence ?? 'did not accept the message'} (${shown}${status})`
}

/** The problem of a message that other addresses, `part` of all, have taken. */
export function partProblem(smtp: SmtpSettings, rejections: readonly MailError[], part: string): string {
  const login = rejections.map((rejection) => loginSentence(smtp, rejection)).find((sentence) => sentence !== null)
  return `${smtp.host} refuses ${part}${login ? `: it ${login}` : ''}`
}

/** What is to be changed about the login or the encryption; null if the answer is about something else. */
function loginSentence({ auth }: SmtpSettings, { code, responseCode = 0, response = '' }: MailError): string | null {
  if (code === 'EAUTH' && isForNow(responseCode)) return 'cannot check the login at the moment'
  if (responseCode === 538 || (responseCode === 530 && /starttls|encrypt/i.test(response)))
    return 'needs encryption: set `tls` to starttls or tls'
  if (responseCode === 530)
    return auth === 'none'
      ? 'needs a login: set `auth`'
      : 'needs a login, but offers none on this connection: check `port` and `tls`'
  if (responseCode === 534)
    return 'does not accept this kind of login: set another `auth`, or a password for applications'
  return responseCode === 535 ? (sentences.EAUTH ?? null) : null
}

function envelopeSentence({ auth }: SmtpSettings, { code, command, responseCode = 0 }: MailError): string | null {
  if (code !== 'EENVELOPE') return null
  if (isForNow(responseCode)) return 'does not take the message yet'
  const refuses = command === 'MAIL FROM' ? 'refuses the sender: check `from`' : sentences.EENVELOPE
  // Many servers refuse the addresses of whoever has not logged in, without a word about a login.
  return auth === 'none' ? `${refuses}, and whether it needs a login (\`auth\`)` : (refuses ?? null)
}
