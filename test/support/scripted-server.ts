// A loopback HTTP server that answers what a test tells it to, faults included, and remembers what it was asked.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface SeenRequest {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The body as it came. */
  bytes: Buffer
  /** Milliseconds of performance.now() at which the request had come whole. */
  at: number
  /** Remote port: tells connections apart. */
  port: number
}

/** Answers one request; `seen` is the request as it came. */
export type Script = (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => void

export interface ScriptedServer {
  url: string
  /** All requests so far, in order. */
  seen: SeenRequest[]
  /** The script for requests whose path contains `part`; each call of a list is used once, the last for ever. */
  on(part: string, ...scripts: [Script, ...Script[]]): void
  requests(part: string): SeenRequest[]
  close(): Promise<void>
}

export async function openScriptedServer(): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  const routes = new Map<string, Script[]>()
  const server = createServer(async (request, response) => {
    request.on('error', () => {})
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const bytes = Buffer.concat(chunks)
    const body = bytes.toString('utf8')
    const { method = '', url: path = '', headers } = request
    const one = { method, path, headers, body, bytes, at: performance.now(), port: request.socket.remotePort ?? 0 }
    seen.push(one)
    const scripts = [...routes].find(([part]) => path.includes(part))?.[1] ?? []
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    if (script) script(one, response, request)
    else response.writeHead(404).end('no script')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    on: (part, ...scripts) => void routes.set(part, scripts),
    requests: (part) => seen.filter((each) => each.path.includes(part)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A JSON answer. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (_seen, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** The service's envelope under HTTP 200. */
export function envelope(payload: unknown, pager: unknown = {}): Script {
  return json(200, { status: 200, message: 'ok', payload, pager })
}

/** Any text, or bytes, under any status. */
export function raw(status: number, text: string | Buffer, headers: Record<string, string> = {}): Script {
  return (_seen, response) => void response.writeHead(status, headers).end(text)
}

/** The connection is reset after the whole request was read, before any answer. */
export const resetBeforeAnswer: Script = (_seen, _response, request) => void request.socket.resetAndDestroy()

/** Head and half a body, then the connection is cut. */
export const cutInBody: Script = (_seen, response, request) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"status":200,', () => request.socket.destroy())
}

/** The request is read and never answered. */
export const silence: Script = () => {}
