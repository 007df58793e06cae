// Sends messages by e-mail, with nodemailer.

import { messageText } from '#src/extensions/notices/compose-message.ts'
import { messageHtml } from '#src/extensions/notices/message-html.ts'
import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import type { Channel, SendResult } from './channel.ts'
import { isRefusal, type MailError, problemOf } from './mail-problems.ts'

/** A mail server that takes longer than this to connect or to greet is as good as away. */
const connectMs = 10_000
/**
 * A server has ten minutes to answer the end of a message (RFC 5321, 4.5.3.2.6). A client that gives up earlier sends
 * once more what was accepted.
 */
const silenceMs = 600_000
/** For one message in all, because a server that answers each step late may never come to an end. */
const sendMs = 900_000
/**
 * How long a message is sent again, to all of its addresses and with the same id, because the server does not take it
 * for one of them yet (greylisting, a full mailbox). The next message waits for that long, too. A restart begins anew.
 */
const deferMs = 20 * 60_000
/** For the check: somebody waits for the result, and nothing is lost by giving up. */
const probeMs = 30_000

export interface MailTools {
  clock: Pick<Clock, 'now' | 'sleep'>
  ca?: string
}

export interface MailServer {
  host: string
  channelTo(addresses: readonly string[]): Channel
  /** Connects, encrypts and logs in. @returns a sentence with a remedy; null if that works */
  probe(): Promise<string | null>
}

/** @param tools.ca the certificate of an authority to trust instead of the usual ones, for tests */
export function openMailServer(smtp: SmtpSettings, tools: MailTools): MailServer {
  return {
    host: smtp.host,
    channelTo: (addresses) => mailChannel(smtp, addresses, tools),
    async probe() {
      const transport = await openTransport(smtp, { ca: tools.ca, silenceMs: probeMs })
      try {
        await transport.verify()
        return null
      } catch (error) {
        return problemOf(smtp.host, error as MailError)
      } finally {
        transport.close()
      }
    },
  }
}

function mailChannel(smtp: SmtpSettings, addresses: readonly string[], { clock, ca }: MailTools): Channel {
  const { host, from } = smtp
  /** The message that the server does not take for one of its addresses yet, and since when. */
  let deferred: { id: string; since: Date } | null = null
  /** The result of a try that at least one address has accepted. */
  function resultOf(id: string, rejections: readonly MailError[]): SendResult {
    const part = `${rejections.length} of ${addresses.length} addresses`
    if (rejections.some(({ responseCode = 0 }) => responseCode < 500)) {
      const now = clock.now()
      if (deferred?.id !== id) deferred = { id, since: now }
      if (Math.abs(now.getTime() - deferred.since.getTime()) < deferMs)
        return { kind: 'failed', problem: `${host} does not take the message for ${part} yet` }
    }
    return { kind: 'delivered', problem: rejections.length === 0 ? null : `${host} refuses ${part}` }
  }
  return {
    kind: 'email',
    description: `e-mail to ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`} by ${host}`,
    trim: (words) => words,
    async send({ id, createdAt, words }, signal) {
      const transport = await openTransport(smtp, { ca, silenceMs })
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
        return resultOf(id, sent.rejectedErrors ?? [])
      } catch (cause) {
        const error = cause as MailError
        const problem = problemOf(host, tooLate.signal.aborted ? { code: 'ETIMEDOUT' } : error)
        return { kind: isRefusal(error) ? 'refused' : 'failed', problem }
      } finally {
        timer.abort()
        transport.close()
      }
    },
  }
}

async function openTransport(smtp: SmtpSettings, { ca, silenceMs }: { ca: string | undefined; silenceMs: number }) {
  const { host, port, tls, auth, user, password, clientId, clientSecret, refreshToken, tokenUrl } = smtp
  const login = {
    none: undefined,
    password: { user, pass: password },
    oauth2: { type: 'OAuth2', user, clientId, clientSecret, refreshToken, accessUrl: tokenUrl },
  }[auth]
  // Loaded only when it is needed, because every command would wait for it.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    host,
    port,
    secure: tls === 'tls',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    ...(ca !== undefined && { tls: { ca } }),
    ...(login && { auth: login }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: silenceMs,
    // Nothing in a message is read from a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
