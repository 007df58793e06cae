// Serves the receiver over real HTTP, with a store in memory.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach } from 'vitest'
import { newSender } from '#src/lms/xapi/edition.ts'
import { openXapi, type XapiParts } from '#src/lms/xapi/receiver.ts'
import type { KeptStatement, StatementStore } from '#src/lms/xapi/store-statements.ts'
import { steppedClock } from '#test/support/clock.ts'

export const credentials = `Basic ${Buffer.from('moodle:s3cret').toString('base64')}`
/** The time at which all statements are stored. */
export const storedAt = '2026-03-01T12:00:00.000Z'

let server: Server
let address: string
/** The content of the store, by id. */
export let rows: Map<string, KeptStatement>

/** Gives each test of the file its own receiver. */
export function serveForEach(): void {
  beforeEach(async () => {
    rows = new Map()
    let idCount = 0
    const newId = () => `00000000-0000-4000-8000-${String(++idCount).padStart(12, '0')}`
    server = serve({
      authenticate: (given) => given === credentials,
      sender: { ...newSender },
      store: storeOf(rows),
      newId,
      clock: steppedClock(),
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => new Promise((resolve) => server.close(resolve)))
}

/** Implements StatementStore in memory. */
function storeOf(rows: Map<string, KeptStatement>): StatementStore {
  return {
    async keep(statements) {
      const ids = statements
        .filter((statement) => (rows.get(statement.id)?.digest ?? statement.digest) !== statement.digest)
        .map((statement) => statement.id)
      if (ids.length > 0) return { kind: 'conflict', ids }
      for (const statement of statements) if (!rows.has(statement.id)) rows.set(statement.id, statement)
      return { kind: 'kept' }
    },
    async find(id) {
      const found = rows.get(id)
      return found ? { raw: found.raw, voided: [...rows.values()].some(({ voids }) => voids === id) } : null
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

export const usualHeaders = {
  authorization: credentials,
  'x-experience-api-version': '1.0.3',
  'content-type': 'application/json',
}

export async function sendRequest(
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = usualHeaders,
) {
  const requestBody = typeof body === 'string' ? body : JSON.stringify(body)
  const answer = await fetch(`${address}${path}`, { method, headers, ...(body !== undefined && { body: requestBody }) })
  const text = await answer.text()
  return { status: answer.status, headers: answer.headers, text, json: text === '' ? null : JSON.parse(text) }
}

/** Sends a GET request whose response is not JSON. */
export async function sendForText(path: string) {
  const answer = await fetch(`${address}${path}`, { headers: usualHeaders })
  return { type: answer.headers.get('content-type'), lines: (await answer.text()).split('\r\n') }
}
