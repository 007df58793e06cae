// Sends messages by e-mail, with nodemailer.

import type { SmtpSettings } from '#src/extensions/notices/settings/notify-settings.ts'
import type { Clock } from '#src/platform/time/clock.ts'
import { messageHtml } from '../message-html.ts'
import { messageText } from '../word-message.ts'
import { isRefusal, type MailError, partProblem, problemOf } from './mail-problems.ts'
import { type MailServerAnswer, probeMailServer } from './probe-mail-server.ts'
import { connectionOptions, tokenOptions } from './smtp-options.ts'
import { openTakenAddresses, type Rejection } from './taken-addresses.ts'
import type { Way, WayResult } from './way.ts'

/** Nothing in a message is read from a file or an address. */
const noAccess = { disableFileAccess: true, disableUrlAccess: true }
/**
 * A server has ten minutes to answer the end of a message (RFC 5321, 4.5.3.2.6). Whoever gives up earlier sends what was
 * accepted once more.
 */
const silenceMs = 600_000
/** For one message in all, because a server that answers each step late may never come to an end. */
const sendMs = 900_000

export interface MailTools {
  clock: Pick<Clock, 'now' | 'sleep'>
  ca?: string
}

export interface MailServer {
  host: string
  wayTo(addresses: readonly string[]): Way
  probe(): Promise<MailServerAnswer>
}

/** @param tools.ca the certificate of an authority to trust instead of the usual ones, for tests */
export function openMailServer(smtp: SmtpSettings, tools: MailTools): MailServer {
  return {
    host: smtp.host,
    wayTo: (addresses) => mailWay(smtp, addresses, tools),
    probe: () => probeMailServer(smtp, tools.ca),
  }
}

function mailWay(smtp: SmtpSettings, addresses: readonly string[], { clock, ca }: MailTools): Way {
  const { host, from } = smtp
  const taken = openTakenAddresses(addresses, clock)
  /** The result of a try that at least one address, now or before, has taken. */
  function resultOf(id: string, rejections: readonly Rejection[]): WayResult {
    const { refused, isDeferred } = taken.note(id, rejections)
    const part = `${refused} of ${addresses.length} addresses`
    if (isDeferred) return { kind: 'failed', problem: `${host} does not take the message for ${part} yet` }
    return { kind: 'delivered', problem: refused === 0 ? null : partProblem(smtp, rejections, part) }
  }
  return {
    kind: 'email',
    description: `e-mail to ${addresses.length === 1 ? '1 address' : `${addresses.length} addresses`} by ${host}`,
    trim: (words) => words,
    async send({ id, createdAt, words }, signal) {
      const transport = await openTransport(smtp, ca)
      const [tooLate, timer] = [new AbortController(), new AbortController()]
      clock.sleep(sendMs, timer.signal).then(
        () => tooLate.abort(),
        () => {},
      )
      try {
        const sent = await transport.sendMail({
          from,
          to: [...addresses],
          envelope: { from, to: taken.left(id) },
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
        const error = cause as MailError & { rejectedErrors?: readonly Rejection[] }
        const { rejectedErrors = [] } = error
        if (taken.left(id).length < addresses.length && rejectedErrors.length > 0) return resultOf(id, rejectedErrors)
        const problem = problemOf(smtp, tooLate.signal.aborted ? { code: 'ETIMEDOUT' } : error)
        return { kind: isRefusal(error) ? 'refused' : 'failed', problem }
      } finally {
        timer.abort()
        transport.close()
      }
    },
  }
}

async function openTransport(smtp: SmtpSettings, ca?: string) {
  const { auth, user, password } = smtp
  const login = {
    none: undefined,
    password: { user, pass: password },
    oauth2: { type: 'OAuth2', ...tokenOptions(smtp) },
  }[auth]
  // Loaded only when it is needed, because every command would wait for it.
  const { createTransport } = await import('nodemailer')
  return createTransport({
    ...connectionOptions(smtp, ca),
    ...(login && { auth: login }),
    socketTimeout: silenceMs,
    ...noAccess,
  })
}
