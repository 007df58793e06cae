// A real SMTP server on this machine that records what it accepts, and that can refuse or be down.

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** The message as received. */
  raw: string
  /** Its headers, unfolded, with names in lower case. */
  headers: { name: string; value: string }[]
  /** Whether the connection was encrypted, and as whom the sender logged in. */
  secure: boolean
  user: string | null
}

export interface TestMailServer extends AsyncDisposable {
  port: number
  received: ReceivedMail[]
  /** Called before a message is accepted; it may throw an error with `responseCode`. */
  beforeAccepting: (mail: ReceivedMail) => Promise<void> | void
  /** Closes the port. Connections are refused until `start`. */
  stop(): Promise<void>
  start(): Promise<void>
}

/** Without options there is no encryption and no login. */
export async function openMailServer(options: SMTPServerOptions = {}): Promise<TestMailServer> {
  const received: ReceivedMail[] = []
  let server: SMTPServer | null = null
  const mailServer: TestMailServer = {
    port: 0,
    received,
    beforeAccepting: () => {},
    async start() {
      server = new SMTPServer({
        ...{ disabledCommands: ['STARTTLS', 'AUTH'], authOptional: true, hideSTARTTLS: false, ...options },
        async onData(stream, session, callback) {
          const raw = await text(stream)
          const mail = {
            ...{ raw, headers: headersOf(raw), secure: session.secure, user: (session.user as string) ?? null },
            from: session.envelope.mailFrom ? session.envelope.mailFrom.address : '',
            to: session.envelope.rcptTo.map(({ address }) => address),
          }
          try {
            await mailServer.beforeAccepting(mail)
            received.push(mail)
            callback()
          } catch (error) {
            callback(error as Error)
          }
        },
      })
      server.on('error', () => {})
      server.listen(mailServer.port, '127.0.0.1')
      await once(server.server, 'listening')
      mailServer.port = (server.server.address() as AddressInfo).port
    },
    async stop() {
      const closing = server
      server = null
      if (closing) await new Promise<void>((resolve) => closing.close(() => resolve()))
    },
    [Symbol.asyncDispose]: () => mailServer.stop(),
  }
  await mailServer.start()
  return mailServer
}

function headersOf(raw: string): ReceivedMail['headers'] {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replace(/\r\n[ \t]+/g, ' ')
  return head.split('\r\n').map((line) => {
    const colon = line.indexOf(':')
    return { name: line.slice(0, colon).toLowerCase(), value: line.slice(colon + 1).trim() }
  })
}

export const headerOf = ({ headers }: ReceivedMail, name: string) =>
  headers
    .filter((header) => header.name === name)
    .map(({ value }) => decodeWords(value))
    .join('\n')

/** Decodes the encoded words of a header (RFC 2047), in UTF-8. */
function decodeWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, value: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(value, 'base64').toString('utf8')
        : Buffer.from(
            value
              .replaceAll('_', ' ')
              .replace(/=([0-9A-F]{2})/gi, (_match, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
            'latin1',
          ).toString('utf8'),
    )
}

/** The body of each part of the message, decoded. */
export function partsOf({ raw }: ReceivedMail): { text: string; html: string } {
  const find = (type: string) => {
    const match = new RegExp(`content-type: ${type}[\\s\\S]*?\\r\\n\\r\\n([\\s\\S]*?)\\r\\n--`, 'i').exec(raw)
    const head = new RegExp(`content-type: ${type}[\\s\\S]*?\\r\\n\\r\\n`, 'i').exec(raw)?.[0] ?? ''
    const body = match?.[1] ?? ''
    if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8')
    if (!/quoted-printable/i.test(head)) return body
    const bytes = body
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    return Buffer.from(bytes, 'latin1').toString('utf8')
  }
  return { text: find('text/plain'), html: find('text/html') }
}
