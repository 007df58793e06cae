// Sends HTTP requests to learning systems and returns their results. Nothing is retried, and no redirect is followed.

import type { Readable } from 'node:stream'
import { Agent, request } from 'undici'
import type { Clock } from '#src/platform/time/clock.ts'
import { userAgent } from '#src/platform/version.ts'

export interface LmsRequest {
  method: 'GET' | 'POST' | 'PUT'
  /** An https URL. The caller uses http only for this machine, or where the settings allow it. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Milliseconds for the whole exchange. */
  deadlineMs: number
  /** Maximum size of the response body, in bytes. Default: 8 MiB. */
  maxBytes?: number
  /** Only the status matters: the body is not read, so it may be of any length or never end. `text` is then empty. */
  ignoreBody?: boolean
}

export type LmsResponse =
  /**
   * Header names in lower case. Redirects are not followed: a token must not be sent to a URL that is not in the
   * settings.
   */
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  /**
   * `code` is the network's error code, such as ECONNREFUSED, or DEADLINE, ANSWER_TOO_LONG or FAILED. `sent` is false
   * if the request was certainly not sent.
   */
  | { kind: 'failed'; code: string; sent: boolean }

export interface LmsHttp {
  /** Never rejects because of the network or the server. */
  send(request: LmsRequest): Promise<LmsResponse>
  close(): Promise<void>
}

const defaultMaxBytes = 8 * 1024 * 1024
const connectTimeoutMs = 10_000
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

export function openLmsHttp(clock: Clock): LmsHttp {
  const dispatcher = new Agent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    allowH2: false,
  })
  return {
    async send({ method, url, headers, body, deadlineMs, maxBytes = defaultMaxBytes, ignoreBody = false }) {
      const deadline = new AbortController()
      const timer = new AbortController()
      clock.sleep(deadlineMs, timer.signal).then(
        () => deadline.abort(),
        () => {},
      )
      try {
        const answer = await request(url, {
          method,
          headers: { 'user-agent': userAgent, ...headers },
          body: body ?? null,
          signal: deadline.signal,
          dispatcher,
        })
        const text = ignoreBody ? discard(answer.body) : await readText(answer.body, maxBytes)
        if (text === null) return { kind: 'failed', code: 'ANSWER_TOO_LONG', sent: true }
        return { kind: 'answer', status: answer.statusCode, headers: flatten(answer.headers), text }
      } catch (error) {
        const code = deadline.signal.aborted ? 'DEADLINE' : codeOf(error)
        return { kind: 'failed', code, sent: !unsentCodes.includes(code) }
      } finally {
        timer.abort()
      }
    },
    close: () => dispatcher.close(),
  }
}

/** Ends the connection, because the rest of the body could take forever. */
function discard(body: Readable): string {
  body.on('error', () => {}).destroy()
  return ''
}

/** @returns null if the body is longer than allowed */
async function readText(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string | null> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of body) {
    bytes += part.length
    if (bytes > maxBytes) return null
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

function codeOf(error: unknown): string {
  const { code, cause } = error as { code?: unknown; cause?: { code?: unknown } }
  const found = typeof cause?.code === 'string' ? cause.code : code
  return typeof found === 'string' && /^[A-Z0-9_]{1,60}$/.test(found) ? found : 'FAILED'
}

function flatten(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
