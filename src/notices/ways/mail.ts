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
/**
 * How long an address that a server does not take yet (greylisting, a full mailbox) is tried again while the other
 * addresses already have the message. The next message waits for that long, too.
 */
const deferMs = 20 * 60_000
/** Somebody waits for the result of `check`, and nothing is lost by giving up. */
const verifySilenceMs = 30_000

export interface MailTools {
  clock: Pick<Clock, 'now' | 'sleep'>
  ca?: string
}

/** Which addresses have taken a message, so that a further try spares them. */
interface Taken {
  id: string
  by: Set<string>
  /** When an address was first deferred, in milliseconds since 1970. */
  deferredSince: number | null
}

/** An address that the server did not take. */
interface Rejection {
  recipient?: string | undefined
  responseCode?: number | undefined
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
  /** What is known of the message that is being sent to these addresses. After a restart all of them get it again. */
  const takenBy = new Map<readonly string[], Taken>()
  function takenOf(addresses: readonly string[], id: string): Taken {
    const known = takenBy.get(addresses)
    if (known?.id === id) return known
    const taken = { id, by: new Set<string>(), deferredSince: null }
    takenBy.set(addresses, taken)
    return taken
  }
  /** The result of a try that at least one address, now or before, has taken. */
  function resultOf(taken: Taken, addresses: readonly string[], rejections: readonly Rejection[]): WayResult {
    const refused = new Set(rejections.map(({ recipient }) => recipient))
    for (const address of addresses) if (!refused.has(address)) taken.by.add(address)
    const part = `${refused.size} of ${addresses.length} addresses`
    const now = clock.now().getTime()
    if (rejections.some(({ responseCode = 0 }) => responseCode < 500)) {
      taken.deferredSince ??= now
      if (now - taken.deferredSince < deferMs)
        return { kind: 'failed', problem: `${host} does not take the message for ${part} yet` }
    }
    // If the ledger cannot note the delivery, everybody gets the message again.
    takenBy.delete(addresses)
    return { kind: 'delivered', problem: refused.size === 0 ? null : `${host} refuses ${part}` }
  }
  return {
    host,
    wayTo: (addresses) => ({
      kind: 'email',
      description: `e-mail to ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`} by ${host}`,
      async send({ id, createdAt, words }, signal) {
        const transport = await open(silenceMs)
        const taken = takenOf(addresses, id)
        const [tooLate, timer] = [new AbortController(), new AbortController()]
        clock.sleep(sendMs, timer.signal).then(
          () => tooLate.abort(),
          () => {},
        )
        try {
          const sent = await transport.sendMail({
            from,
            to: [...addresses],
            envelope: { from, to: addresses.filter((address) => !taken.by.has(address)) },
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
          return resultOf(taken, addresses, sent.rejectedErrors ?? [])
        } catch (error) {
          const { rejectedErrors = [] } = error as { rejectedErrors?: readonly Rejection[] }
          if (taken.by.size > 0 && rejectedErrors.length > 0) return resultOf(taken, addresses, rejectedErrors)
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
