// Calls to learning systems: one request, and what became of it. Nothing is repeated, and no redirect is followed with a body or a token.

import { Agent, request } from 'undici'
import type { Clock } from '#src/time/clock.ts'

export interface Ask {
  method: 'GET' | 'POST' | 'PUT'
  /** https, or http on this machine and where the settings name it so. */
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
  /** Milliseconds for the whole exchange. */
  deadlineMs: number
  /** Longest answer that is read. Default 8 MiB. */
  maxBytes?: number
}

/** `sent` false: nothing of it left this machine. */
export type Heard =
  | { kind: 'answer'; status: number; headers: Record<string, string>; text: string }
  | { kind: 'failed'; code: string; sent: boolean }

export interface Wire {
  /** Never rejects for what the network or the other side does. */
  send(ask: Ask): Promise<Heard>
  close(): Promise<void>
}

const mostBytes = 8 * 1024 * 1024
const connectMs = 10_000
const unsentCodes = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

export function openWire(clock: Clock): Wire {
  const dispatcher = new Agent({ connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0, allowH2: false })
  return {
    async send({ method, url, headers, body, deadlineMs, maxBytes = mostBytes }) {
      const deadline = new AbortController()
      const answered = new AbortController()
      clock.sleep(deadlineMs, answered.signal).then(
        () => deadline.abort(),
        () => {},
      )
      try {
        const answer = await request(url, {
          method,
          headers,
          body: body ?? null,
          signal: deadline.signal,
          dispatcher,
        })
        const text = await readText(answer.body, maxBytes)
        if (text === null) return { kind: 'failed', code: 'ANSWER_TOO_LONG', sent: true }
        return { kind: 'answer', status: answer.statusCode, headers: flat(answer.headers), text }
      } catch (error) {
        const code = deadline.signal.aborted ? 'DEADLINE' : codeOf(error)
        return { kind: 'failed', code, sent: !unsentCodes.includes(code) }
      } finally {
        answered.abort()
      }
    },
    close: () => dispatcher.close(),
  }
}

/** Null when it is longer than it may be. */
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

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name.toLowerCase(), Array.isArray(value) ? value.join(', ') : value]],
    ),
  )
}
