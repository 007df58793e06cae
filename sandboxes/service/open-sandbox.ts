// Opens the built-in sandbox of the credential service: a real HTTP server on loopback that keeps everything in memory.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { Clock } from '#sandboxes/clock.ts'
import { openSandboxCore } from './open-sandbox-core.ts'
import type { SandboxControls } from './sandbox-internals.ts'
import type { SandboxSettings } from './settings.ts'

export type { HeldRequest, SandboxCourse } from './held-request.ts'

export interface Sandbox extends SandboxControls {
  /** Base address without a trailing slash. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Opens a sandbox on 127.0.0.1 and resolves once it listens.
 * @throws the listening error if the port is taken
 */
export async function openSandbox(given: Partial<SandboxSettings> | undefined, clock: Clock): Promise<Sandbox> {
  const { call, ...controls } = openSandboxCore(given, clock)
  const { port = 0, answerMs = 0 } = given ?? {}
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => null)
    // Null if the client went away before it had sent everything.
    if (body === null) return
    const { method = '', url = '' } = request
    const answer = await call({ method, path: url, headers: request.headers as Record<string, string>, body })
    if (answerMs > 0) await clock.sleep(answerMs)
    if (answer.lost) request.socket.destroy()
    else response.writeHead(answer.status, answer.headers).end(answer.bytes ?? answer.body)
  })
  // Longer than clients keep idle connections: a request on one that is being closed would have no answer.
  server.keepAliveTimeout = 72_000
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    ...controls,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise<unknown>((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}
