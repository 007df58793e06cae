// The receiver behind a real HTTP server, with a store in memory, for the tests that ask it over the wire.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import { openXapi, type XapiParts } from '#src/xapi/receiver.ts'
import type { KeptStatement, StatementStore } from '#src/xapi/take-statements.ts'
import { steppedClock } from '#test/support/clock.ts'

export const credentials = `Basic ${Buffer.from('moodle:s3cret').toString('base64')}`
/** The time at which everything is stored. */
export const stored = '2026-03-01T12:00:00.000Z'

let server: Server
let address: string
/** What is in the store, by id. */
export let rows: Map<string, KeptStatement>

/** Gives each test of the file a receiver of its own. */
export function serveForEach(): void {
  beforeEach(async () => {
    rows = new Map()
    let made = 0
    const newId = () => `00000000-0000-4000-8000-${String(++made).padStart(12, '0')}`
    server = serve({
      authenticate: (given) => given === credentials,
      store: storeOf(rows),
      newId,
      clock: steppedClock(),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))
}

/** Keeps the promise of StatementStore in memory. */
function storeOf(map: Map<string, KeptStatement>): StatementStore {
  return {
    async keep(statements) {
      const ids = statements
        .filter((each) => (map.get(each.id)?.digest ?? each.digest) !== each.digest)
        .map((each) => each.id)
      if (ids.length > 0) return { kind: 'conflict', ids }
      for (const each of statements) if (!map.has(each.id)) map.set(each.id, each)
      return { kind: 'kept' }
    },
    async find(sought) {
      const found = map.get(sought)
      return found ? { raw: found.raw, voided: [...map.values()].some(({ voids }) => voids === sought) } : null
    },
  }
}

function serve(parts: XapiParts): Server {
  const receive = openXapi(parts)
  return createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const headers = request.headers as Record<string, string | undefined>
    const answer = await receive({
      method: request.method ?? '',
      path: url.pathname,
      query: url.searchParams,
      headers,
      body: Buffer.concat(chunks),
    })
    response.writeHead(answer.status, answer.headers).end(answer.body)
  })
}

export const usual = {
  authorization: credentials,
  'x-experience-api-version': '1.0.3',
  'content-type': 'application/json',
}

export async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = usual) {
  const sent = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body: sent }) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: text === '' ? null : JSON.parse(text) }
}

/** For an answer that is no JSON. */
export async function askForText(path: string) {
  const answer = await fetch(`${address}${path}`, { headers: usual })
  return { type: answer.headers.get('content-type'), lines: (await answer.text()).split('\r\n') }
}
