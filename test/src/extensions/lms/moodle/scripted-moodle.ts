// A Moodle site on loopback whose web service functions return scripted or recorded responses, and a client for it.

import { request } from 'node:http'
import { type Moodle, openMoodle } from '#src/extensions/lms/moodle/open-moodle.ts'
import type { LmsHttp, LmsRequest, LmsResponse } from '#src/platform/http/http-client.ts'
import { Secret } from '#src/platform/secret.ts'
import { steppedClock } from '#test/support/clock.ts'
import { moodleCapture, moodlePage } from '#test/support/moodle-captures.ts'
import { json, openScriptedServer, raw, type Script } from '#test/support/scripted-server.ts'

/** A token in Moodle's format, but not from a recording. */
export const plantedToken = '7f3c9a1be5d24086b7c1e0d95a6f4b32'

export interface ScriptedMoodle {
  moodle: Moodle
  /**
   * Sets the scripts for one function; each is used once, except that the last one repeats. A function without a script
   * is refused as not part of the service.
   */
  on(name: string, ...scripts: [Script, ...Script[]]): void
  /** The forms received for one function, in order. */
  forms(name: string): URLSearchParams[]
  /** The names of all functions called, in order. */
  calledFunctions(): string[]
  paths(): string[]
  /** The number of calls that went through the rate limiter. */
  gatedCalls(): number
  close(): Promise<void>
}

/** `sitePath` is the path of the site; `deadlineMs` replaces the default timeout of each call. */
export async function openScriptedMoodle(sitePath = '', deadlineMs?: number): Promise<ScriptedMoodle> {
  const server = await openScriptedServer()
  const scripts = new Map<string, Script[]>()
  server.on('server.php', (seen, response, incoming) => {
    const list = scripts.get(new URLSearchParams(seen.body).get('wsfunction') ?? '') ?? [
      recorded('31-function-not-in-service'),
    ]
    const script = list.length > 1 ? list.shift() : list[0]
    script?.(seen, response, incoming)
  })
  let gated = 0
  const moodle = openMoodle({
    url: `${server.url}${sitePath}`,
    token: new Secret(plantedToken),
    send: (request) => sendOverHttp({ ...request, deadlineMs: deadlineMs ?? request.deadlineMs }),
    clock: steppedClock(),
    gate: (work) => {
      gated++
      return work()
    },
  })
  const forms = () => server.seen.map((each) => new URLSearchParams(each.body))
  return {
    moodle,
    on: (name, ...list) => void scripts.set(name, list),
    forms: (name) => forms().filter((form) => form.get('wsfunction') === name),
    calledFunctions: () => forms().map((form) => form.get('wsfunction') ?? ''),
    paths: () => server.seen.map((each) => `${each.method} ${each.path}`),
    gatedCalls: () => gated,
    close: () => server.close(),
  }
}

export function recorded(name: string): Script {
  return raw(200, moodleCapture(name), { 'content-type': 'application/json' })
}

export function recordedPage(name: string): Script {
  const { body, status, type } = moodlePage(name) ?? { body: '', status: 0, type: '' }
  return raw(status, body, { 'content-type': type })
}

/** An application error as Moodle returns it. */
export function exception(errorcode: string, more: Record<string, string> = {}): Script {
  return json(200, { exception: 'core\\exception\\moodle_exception', errorcode, message: 'Said by Moodle', ...more })
}

/** Implements `send` over node:http, with the deadline and without following redirects. */
const sendOverHttp: LmsHttp['send'] = (ask: LmsRequest) =>
  new Promise<LmsResponse>((resolve) => {
    const failed = (code: string) => resolve({ kind: 'failed', code, sent: true })
    const { method, headers } = ask
    const outgoing = request(ask.url, { method, headers, signal: AbortSignal.timeout(ask.deadlineMs) }, (response) => {
      const chunks: Buffer[] = []
      response.on('error', () => failed('ECONNRESET'))
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ kind: 'answer', status: response.statusCode ?? 0, headers: singleValues(response.headers), text })
      })
    })
    outgoing.on('error', (error) =>
      failed('code' in error && error.code !== 'ABORT_ERR' ? String(error.code) : 'ETIMEDOUT'),
    )
    outgoing.end(ask.body)
  })

function singleValues(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
