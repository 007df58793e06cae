// Asks a mail server whether it would take our messages: connects, encrypts, logs in, names the sender, and takes that
// back. Sends nothing.

import { domainToASCII } from 'node:url'
import type { SMTPConnectionCustomAuthContext } from 'nodemailer/lib/smtp-connection'
import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import { type MailError, problemOf } from './mail-problems.ts'

/** Somebody waits for the result, and nothing is lost by giving up. */
const silenceMs = 30_000

export interface MailServerAnswer {
  /** A sentence with a remedy; null if the server takes `from` as the sender. */
  problem: string | null
  /** Whether the server offers a login. Without one, nodemailer sends without logging in. */
  offersLogin: boolean
}

/** nodemailer sends commands of others only during a login of a kind that it does not know. */
const probing = 'PROBE'

export async function probeMailServer(smtp: SmtpSettings, ca?: string): Promise<MailServerAnswer> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection')
  const seen: { offersLogin: boolean; refusal: MailError | null } = { offersLogin: false, refusal: null }
  const connection = new Connection({
    ...connectionOptions(smtp, ca),
    socketTimeout: silenceMs,
    customAuth: {
      async [probing](context: SMTPConnectionCustomAuthContext) {
        seen.offersLogin = context.authMethods.length > 0
        seen.refusal = await nameSender(smtp.from, context)
      },
    },
  })
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', reject)
    // The answer that ends the connection says more than its end, and comes first.
    connection.once('end', () => setImmediate(reject, { code: 'ECONNECTION' } satisfies MailError))
  })
  failed.catch(() => {})
  const step = (run: (done: (error?: Error | null) => void) => void) =>
    Promise.race([failed, new Promise<void>((resolve, reject) => run((error) => (error ? reject(error) : resolve())))])
  try {
    await step((done) => connection.connect(done))
    const login = await loginOf(smtp)
    if (login && connection.allowsAuth) await step((done) => connection.login(login, done))
    await step((done) => connection.login({ method: probing }, done))
    connection.quit()
    return { problem: seen.refusal && problemOf(smtp, seen.refusal), offersLogin: seen.offersLogin }
  } catch (error) {
    connection.close()
    return { problem: problemOf(smtp, error as MailError), offersLogin: connection.allowsAuth }
  }
}

async function loginOf(smtp: SmtpSettings) {
  const { auth, user, password } = smtp
  if (auth === 'none') return null
  if (auth === 'password') return { user, pass: password }
  const { default: XOAuth2 } = await import('nodemailer/lib/xoauth2')
  return { user, oauth2: new XOAuth2(tokenOptions(smtp)) }
}

/** @returns the refusal, or null */
async function nameSender(
  from: string,
  { sendCommand, extensions }: SMTPConnectionCustomAuthContext,
): Promise<MailError | null> {
  const at = from.lastIndexOf('@')
  const sender = `${from.slice(0, at)}@${domainToASCII(from.slice(at + 1))}`
  const isPlain = /^[\x20-\x7e]+$/.test(sender)
  const parameter = !isPlain && extensions.includes('SMTPUTF8') ? ' SMTPUTF8' : ''
  const { response } = await sendCommand(`MAIL FROM:<${sender}>${parameter}`)
  const responseCode = Number.parseInt(response, 10)
  if (responseCode >= 300) return { code: 'EENVELOPE', command: 'MAIL FROM', responseCode, response }
  await sendCommand('RSET')
  return null
}

// How nodemailer connects to a mail server, for sending and for the check. Pure.

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
