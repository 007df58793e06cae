// A Moodle on loopback that answers each web service function with what a test or a recording says, and a client of it.

import { request } from 'node:http'
import { type Moodle, openMoodle } from '#src/moodle/open-moodle.ts'
import type { Ask, Heard, Send } from '#src/moodle/wire.ts'
import { Secret } from '#src/secret/secret.ts'
import { steppedClock } from '#test/support/clock.ts'
import { moodleCapture, moodlePage } from '#test/support/moodle-captures.ts'
import { json, openScriptedServer, raw, type Script } from '#test/support/scripted-server.ts'

/** Of the form that Moodle makes, and in no recording. */
export const plantedToken = '7f3c9a1be5d24086b7c1e0d95a6f4b32'

export interface ScriptedMoodle {
  moodle: Moodle
  /** The scripts for one function; each is used once, the last for ever. A function without one is answered as one outside the service. */
  on(name: string, ...scripts: [Script, ...Script[]]): void
  /** The forms that came for one function, in order. */
  forms(name: string): URLSearchParams[]
  /** The names of all functions that were called, in order. */
  called(): string[]
  paths(): string[]
  /** How many calls went through the gate. */
  gated(): number
  close(): Promise<void>
}

/** `below` is the path that the site lives under; `deadlineMs` the time to wait for each answer in place of the room's own. */
export async function openScriptedMoodle(below = '', deadlineMs?: number): Promise<ScriptedMoodle> {
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
    url: `${server.url}${below}`,
    token: new Secret(plantedToken),
    send: (ask) => sendOverHttp({ ...ask, deadlineMs: deadlineMs ?? ask.deadlineMs }),
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
    called: () => forms().map((form) => form.get('wsfunction') ?? ''),
    paths: () => server.seen.map((each) => `${each.method} ${each.path}`),
    gated: () => gated,
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

/** An application error as Moodle reports it. */
export function exception(errorcode: string, more: Record<string, string> = {}): Script {
  return json(200, { exception: 'core\\exception\\moodle_exception', errorcode, message: 'Said by Moodle', ...more })
}

/** `send` over node:http: follows nothing, reads no more than it may. */
const sendOverHttp: Send = (ask: Ask) =>
  new Promise<Heard>((resolve) => {
    const failed = (code: string) => resolve({ kind: 'failed', code, sent: true })
    const { method, headers } = ask
    const outgoing = request(ask.url, { method, headers, signal: AbortSignal.timeout(ask.deadlineMs) }, (response) => {
      const chunks: Buffer[] = []
      response.on('error', () => failed('ECONNRESET'))
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8')
        resolve({ kind: 'answer', status: response.statusCode ?? 0, headers: oneEach(response.headers), text })
      })
    })
    outgoing.on('error', (error) =>
      failed('code' in error && error.code !== 'ABORT_ERR' ? String(error.code) : 'ETIMEDOUT'),
    )
    outgoing.end(ask.body)
  })

function oneEach(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}
