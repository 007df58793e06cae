// Sends messages by e-mail, and checks the mail server. Connects to the server with nodemailer; no other file uses it.

import type { SmtpSettings } from '#config/notify-settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { messageHtml } from '../message-html.ts'
import { messageText } from '../word-message.ts'
import type { Way, WayResult } from './way.ts'

/** Nothing in a message is read from a file or an address. */
const noAccess = { disableFileAccess: true, disableUrlAccess: true }
/** A mail server that takes longer than this to connect or to greet is as good as away. */
const connectMs = 10_000
/**
 * A server has ten minutes to answer the end of a message (RFC 5321, 4.5.3.2.6). Whoever gives up earlier sends what was
 * accepted once more.
 */
const silenceMs = 600_000
/** For one message in all, because a server that answers each step late may never come to an end. */
const sendMs = 900_000
/** Somebody waits for the result of `check`, and nothing is lost by giving up. */
const verifySilenceMs = 30_000

export interface MailTools {
  clock: Pick<Clock, 'sleep'>
  ca?: string
}

export interface MailServer {
  host: string
  wayTo(addresses: readonly string[]): Way
  /** Connects, encrypts and logs in, without sending anything. @returns a problem, or null */
  verify(): Promise<string | null>
}

/** @param tools.ca the certificate of an authority to trust instead of the usual ones, for tests */
export function openMailServer(smtp: SmtpSettings, { clock, ca }: MailTools): MailServer {
  const { host, from } = smtp
  // Loaded only when it is needed, because every command would wait for it.
  const open = async (socketTimeout: number) =>
    (await import('nodemailer')).createTransport({ ...transportOptions(smtp, ca), socketTimeout, ...noAccess })
  return {
    host,
    wayTo: (addresses) => ({
      kind: 'email',
      description: `e-mail to ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`} by ${host}`,
      async send({ id, createdAt, words }, signal) {
        const transport = await open(silenceMs)
        const [tooLate, timer] = [new AbortController(), new AbortController()]
        clock.sleep(sendMs, timer.signal).then(
          () => tooLate.abort(),
          () => {},
        )
        try {
          const sent = await transport.sendMail({
            from,
            to: [...addresses],
            subject: words.subject,
            text: messageText(words),
            html: messageHtml(words),
            // The same for every try: mail programs then show a repeat only once.
            messageId: `<${id}@${from.slice(from.lastIndexOf('@') + 1)}>`,
            date: createdAt,
            headers: {
              // Tells out-of-office programs not to answer.
              'auto-submitted': 'auto-generated',
              'x-auto-response-suppress': 'All',
            },
            signal: AbortSignal.any([signal, tooLate.signal]),
          })
          return delivered(host, sent.rejected.length, addresses.length)
        } catch (error) {
          const kind = isRefusal(error) ? 'refused' : 'failed'
          return { kind, problem: problemOf(host, tooLate.signal.aborted ? { code: 'ETIMEDOUT' } : error) }
        } finally {
          timer.abort()
          transport.close()
        }
      },
    }),
    async verify() {
      const transport = await open(verifySilenceMs)
      try {
        await transport.verify()
        return null
      } catch (error) {
        return problemOf(host, error)
      } finally {
        transport.close()
      }
    },
  }
}

function transportOptions(smtp: SmtpSettings, ca?: string) {
  const { host, port, tls, auth, user, password, clientId, clientSecret, refreshToken, tokenUrl } = smtp
  const login = {
    none: undefined,
    password: { user, pass: password },
    oauth2: { type: 'OAuth2', user, clientId, clientSecret, refreshToken, accessUrl: tokenUrl },
  }[auth]
  return {
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(login && { auth: login }),
    ...(ca !== undefined && { tls: { ca } }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
  }
}

function delivered(host: string, rejected: number, all: number): WayResult {
  return { kind: 'delivered', problem: rejected === 0 ? null : `${host} refuses ${rejected} of ${all} addresses` }
}

const sentences: Record<string, string> = {
  EAUTH: 'refuses the login: check `user` and the password, or with oauth2 the token and its scope',
  EOAUTH2: 'gets no access token: check `tokenUrl`, `clientId`, `clientSecret` and `refreshToken`',
  ENOAUTH: 'needs a login: set `auth`',
  ETLS: 'does not offer STARTTLS, or its certificate is not trusted: set `tls` to what it supports',
  EDNS: 'is not known by this name: check `host`',
  ECONNECTION: 'cannot be reached: check `host` and `port`, and the firewall',
  ESOCKET: 'cannot be reached, or its certificate is not trusted: check `host`, `port` and `tls`',
  ETIMEDOUT: 'does not answer in time: check `host`, `port` and `tls`, and the firewall',
  EENVELOPE: 'refuses the addresses: check `from` and `email`',
  EMESSAGE: 'refuses the message',
}

/** Whether the server refuses this message for good. 552 before it has come says that it is too large. */
function isRefusal(error: unknown): boolean {
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  return (code === 'EMESSAGE' && responseCode >= 500) || (command === 'MAIL FROM' && responseCode === 552)
}

/** The texts of servers and of errors are left out, because they contain addresses, and sometimes more. */
function problemOf(host: string, error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
  const known = typeof code === 'string' && /^[A-Z][A-Z0-9_]{1,40}$/.test(code) ? code : 'FAILED'
  const status = typeof responseCode === 'number' ? `, ${responseCode}` : ''
  return `the mail server ${host} ${sentences[known] ?? 'did not accept the message'} (${known}${status})`
}
