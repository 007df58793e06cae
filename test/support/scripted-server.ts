// A loopback HTTP server that returns scripted responses and faults, and records requests.

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface SeenRequest {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  body: string
  /** The body as received. */
  bytes: Buffer
  /** When the whole request was received, in milliseconds of performance.now(). */
  at: number
  /** Remote port, which identifies the connection. */
  port: number
}

/** Responds to one request; `seen` is the request as received. */
export type Script = (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => void

export interface ScriptedServer {
  url: string
  /** All requests so far, in order. */
  seen: SeenRequest[]
  /** The script for requests whose path contains `part`. Each entry is used once, except that the last one repeats. */
  on(part: string, ...scripts: [Script, ...Script[]]): void
  requests(part: string): SeenRequest[]
  close(): Promise<void>
}

export async function openScriptedServer(): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  const routes = new Map<string, Script[]>()
  // It leaves it to the client to end an idle connection. After a test that kept this process busy, it would end one just
  // as the client uses it again.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    request.on('error', () => {})
    const bytes = await buffer(request)
    const body = bytes.toString('utf8')
    const { method = '', url: path = '', headers } = request
    const port = request.socket.remotePort ?? 0
    const seenRequest = { method, path, headers, body, bytes, at: performance.now(), port }
    seen.push(seenRequest)
    const scripts = [...routes].find(([part]) => path.includes(part))?.[1] ?? []
    const script = scripts.length > 1 ? scripts.shift() : scripts[0]
    if (script) script(seenRequest, response, request)
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

/** Responds with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Script {
  return (_seen, response) =>
    void response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Responds with the service's envelope and HTTP status 200. */
export function envelope(payload: unknown, pager: unknown = {}): Script {
  return json(200, { status: 200, message: 'ok', payload, pager })
}

/** Responds with any text or bytes and any status. */
export function raw(status: number, text: string | Buffer, headers: Record<string, string> = {}): Script {
  return (_seen, response) => void response.writeHead(status, headers).end(text)
}

/** Resets the connection after reading the whole request, without any response. */
export const resetBeforeAnswer: Script = (_seen, _response, request) => void request.socket.resetAndDestroy()

/** Sends the head and half of a body, then cuts the connection. */
export const cutInBody: Script = (_seen, response, request) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
  response.write('{"status":200,', () => request.socket.destroy())
}

/** Reads the request and never responds. */
export const silence: Script = () => {}
